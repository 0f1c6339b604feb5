import Catalogue
import Samples

/// The announcement of a resolver's state to Home Assistant ("MQTT discovery"): five sensors of one device.
///
/// The names and units are those of Home Assistant's integrations `mqtt` and `sensor`.
package struct HomeAssistant: Sendable {
    /// A message that a broker keeps.
    package typealias Message = (topic: String, payload: String)

    /// The beginning of the topics with states.
    private let prefix: String
    /// The time in seconds after which a sensor without a new state is unavailable; `nil` if it is unknown.
    private let lifetime: Int?

    /// `interval` is the usual time between two rounds; `nil` if it is unknown.
    package init(prefix: String, interval: Duration?) {
        self.prefix = prefix
        // Two rounds in a row may fail to arrive. Whole minutes stay the same from round to round.
        lifetime = interval.map { 60 * (2 + Int(min(3 * ($0 / .seconds(60)), 1e6))) }
    }

    /// The state of a resolver. Its topic has the place, the resolver, the transport and the series.
    package func state(_ state: ResolverState) -> Message { (topic(of: state), state.json) }

    /// The announcements of a resolver's sensors.
    package func announcements(of state: ResolverState) -> [Message] {
        sensors.map { sensor in
            let identifier = identifier(of: state)
            let topic = "homeassistant/sensor/\(identifier)/\(sensor.key)/config"
            var members: [JSONValue.Member] = [
                .init(name: "name", value: .string(sensor.name)),
                .init(name: "unique_id", value: .string("\(identifier)_\(sensor.key)")),
                .init(name: "object_id", value: .string("\(identifier)_\(sensor.key)")),
                .init(name: "state_topic", value: .string(self.topic(of: state))),
                .init(name: "value_template", value: .string(sensor.template)),
                .init(name: "icon", value: .string(sensor.icon)),
                .init(name: "device", value: device(of: state, identifier)),
                .init(
                    name: "origin",
                    value: ["name": .string("dnstempo"), "sw_version": .string(state.toolVersion)]
                ),
            ]
            members += sensor.more
            if let lifetime {
                members.append(.init(name: "expire_after", value: .integer(lifetime)))
            }
            return (topic, JSONValue.object(members).line)
        }
    }

    private struct Sensor {
        var key: String
        var name: String
        var template: String
        var icon: String
        var more: [JSONValue.Member] = []
    }

    private var sensors: [Sensor] {
        func members(_ texts: KeyValuePairs<String, String>) -> [JSONValue.Member] {
            texts.map { .init(name: $0.key, value: .string($0.value)) }
        }
        let time = members([
            "unit_of_measurement": "ms", "device_class": "duration", "state_class": "measurement",
        ])
        let options = ResolverState.Standing.allCases.map { JSONValue.string($0.rawValue) }
        return [
            Sensor(
                key: "latency",
                name: "Latency",
                template: "{{ value_json.latency_ms }}",
                icon: "mdi:timer-outline",
                more: time
            ),
            Sensor(
                key: "p95",
                name: "Latency p95",
                template: "{{ value_json.p95_ms }}",
                icon: "mdi:timer-alert-outline",
                more: time
            ),
            Sensor(
                key: "loss",
                name: "Loss",
                template: "{{ value_json.no_response_rate * 100 if value_json.no_response_rate "
                    + "is number else None }}",
                icon: "mdi:lan-disconnect",
                more: members(["unit_of_measurement": "%", "state_class": "measurement"])
            ),
            Sensor(
                key: "verdict",
                name: "Verdict",
                template: "{{ value_json.verdict }}",
                icon: "mdi:scale-balance",
                more: members(["device_class": "enum"]) + [
                    .init(name: "options", value: .array(options))
                ]
            ),
            Sensor(
                key: "last_change",
                name: "Last change",
                template: "{{ value_json.last_change }}",
                icon: "mdi:swap-vertical",
                more: members(["device_class": "timestamp"])
            ),
        ]
    }

    private func device(of state: ResolverState, _ identifier: String) -> JSONValue {
        let target = state.target
        let place = "\(target.endpoint), \(target.transport), \(target.series) names"
        return [
            "identifiers": .array([.string(identifier)]),
            "name": .string("DNS \(EscapedText.terminal(target.label))"),
            "model": .string(EscapedText.terminal(place)),
            "manufacturer": .string("dnstempo"),
            "sw_version": .string(state.toolVersion),
            "suggested_area": .string(EscapedText.terminal(state.vantage)),
        ]
    }

    private func words(of state: ResolverState) -> [String] {
        let target = state.target
        return [state.vantage, target.label, target.transport.description, "\(target.series)"]
            .map(Self.word)
    }

    private func topic(of state: ResolverState) -> String {
        ([prefix] + words(of: state)).joined(separator: "/")
    }

    private func identifier(of state: ResolverState) -> String {
        (["dnstempo"] + words(of: state)).joined(separator: "_")
    }

    /// A text as a part of a topic and of an identifier, which Home Assistant limits to these characters.
    private static func word(_ text: String) -> String {
        let bytes = text.utf8.map {
            $0.isAlphanumeric || $0 == UInt8(ascii: "-") ? $0 : UInt8(ascii: "_")
        }
        return bytes.isEmpty ? "_" : String(decoding: bytes, as: UTF8.self)
    }
}
