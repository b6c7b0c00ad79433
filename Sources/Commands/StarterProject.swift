/// What `init` writes.
enum StarterProject {
    struct File: Sendable {
        var path: String
        var text: String
        /// Left as it is where there is one already, instead of being a reason to write nothing.
        var yieldsToExisting = false
    }

    static let files = [
        File(path: "carillon.yaml", text: configuration),
        File(path: "campaigns/welcome.yaml", text: campaign),
        File(path: "devices.jsonl", text: devices),
        File(path: ".gitignore", text: ignored, yieldsToExisting: true),
    ]

    private static let configuration = """
        # Where devices and runs are kept, and which providers deliver. Until you name APNs or FCM below, pushes are
        # written to a file instead of being sent.
        store: sqlite:carillon.sqlite

        apps:
          default:
            log: {path: outbox/pushes.jsonl}
            # apns:
            #   key: {file: AuthKey.p8}
            #   key_id: ABC123DEFG
            #   team_id: DEF123GHIJ
            #   bundle_id: com.example.app
            # fcm:
            #   service_account: {file: service-account.json}

        defaults:
          timezone: UTC

        """

    private static let campaign = """
        campaign: welcome
        description: A first campaign to change
        owner: you

        schedule:
          cron: "0 9 * * MON-FRI"
          timezone: Europe/Berlin

        filter:
          platforms: [iOS, Android]
          tags: [beta]

        notification:
          title: "Good morning{% if device.data.first_name %}, {{ device.data.first_name }}{% endif %}"
          message: Your first campaign is running.
          collapse_id: welcome
          time_to_live: 4h
          data: {kind: welcome}
          locales:
            de:
              title: "Guten Morgen{% if device.data.first_name %}, {{ device.data.first_name }}{% endif %}"
              message: Deine erste Kampagne läuft.

        interceptors:
          - skip_tagged: [opted-out]
          - localize

        """

    private static let devices = """
        {"token":"00000000000000000000000000000000000000000000000000000000000000a1","platform":"iOS","user":"ada","tags":["beta"],"locale":"en-GB","timezone":"Europe/London","data":{"first_name":"Ada"}}
        {"token":"sample-android-token-of-a-second-device","platform":"Android","user":"konrad","tags":["beta"],"locale":"de-AT","timezone":"Europe/Vienna","data":{"first_name":"Konrad"}}

        """

    private static let ignored = """
        carillon.sqlite*
        outbox/
        *.p8
        service-account.json

        """
}
