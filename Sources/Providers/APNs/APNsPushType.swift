/// The values of `apns-push-type`, and what each asks of the topic and the payload.
enum APNsPushType: String, CaseIterable {
    case alert, background, location, voip, complication, fileprovider, mdm, liveactivity, pushtotalk, controls, widgets

    /// What follows the bundle id in `apns-topic`; `nil` where the topic is no bundle id at all.
    var topicSuffix: String? {
        switch self {
        case .alert, .background: ""
        case .location: ".location-query"
        case .voip: ".voip"
        case .complication: ".complication"
        case .fileprovider: ".pushkit.fileprovider"
        case .mdm: nil
        case .liveactivity: ".push-type.liveactivity"
        case .pushtotalk: ".voip-ptt"
        case .controls: ".push-type.controls"
        case .widgets: ".push-type.widgets"
        }
    }

    /// The bytes that a payload may have.
    var payloadLimit: Int { self == .voip ? 5120 : 4096 }
}
