/// A signed JSON Web Token in its compact form (RFC 7515 section 3.1).
package enum JSONWebToken {
    /// Makes `header.payload.signature` from the JSON of the header and of the claims, byte for byte as given.
    ///
    /// The header must name the key's algorithm in `alg`; this function does not look into it.
    package static func signed(
        header: [UInt8], claims: [UInt8], with key: SigningKey
    ) throws(SigningKeyError) -> String {
        var text = [UInt8]()
        text.reserveCapacity((header.count + claims.count) * 4 / 3 + 360)
        Base64URL.append(header, to: &text)
        text.append(UInt8(ascii: "."))
        Base64URL.append(claims, to: &text)
        let signature = try key.signature(for: text)
        text.append(UInt8(ascii: "."))
        Base64URL.append(signature, to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}
