extension CommandHarness {
    /// Three campaigns: a weekly one in two languages, one each minute that is not enabled, and one on a single day.
    func writeSampleProject() throws {
        try write(
            "campaigns/weekly-digest.yaml",
            """
            campaign: weekly-digest
            schedule: {cron: "0 9 * * MON", timezone: Europe/Berlin}
            filter: {platforms: [iOS, Android], tags: [digest]}
            notification:
              title: "Hello {{ device.data.name | default: 'you' }}"
              message: "{{ campaign.id }} of {{ occurrence }}"
              collapse_id: digest
              time_to_live: 1h
              locales:
                de: {title: "Hallo {{ device.data.name | default: 'du' }}"}
            interceptors:
              - skip_tagged: [opted-out]
              - localize

            """)
        try write(
            "campaigns/ping.yaml",
            """
            campaign: ping
            enabled: false
            schedule: {cron: "* * * * *"}
            filter: everyone
            notification: {title: Ping}

            """)
        try write(
            "campaigns/launch/day.yaml",
            """
            campaign: launch-day
            schedule: {at: 2026-12-24 18:00, timezone: America/New_York, jitter: 10m}
            filter: {platforms: [Web]}
            notification: {title: "It is here"}

            """)
    }

    static let sampleDevices = """
        {"token":"000000000000000000000000000000000000000000000000000000000000000a","platform":"iOS","user":"ada","tags":["digest"],"locale":"en-GB","data":{"name":"Ada"}}
        {"token":"android-1","platform":"Android","user":"konrad","tags":["digest","beta"],"locale":"de-AT","data":{"name":"Konrad"}}
        {"token":"android-2","platform":"Android","user":"grace","tags":["digest","opted-out"]}
        {"token":"android-3","platform":"Android","user":"alan","tags":["beta"]}

        """

    func importSampleDevices() async throws {
        try write("devices.jsonl", Self.sampleDevices)
        _ = await run("devices", "import", "devices.jsonl")
    }
}
