import FoundationEssentials

extension PushPipeline {
    /// Sends a prepared page: each provider gets all its messages at once, all providers at the same time.
    ///
    /// Every device of the page has one result, in the page's order. A provider that throws fails its own messages; when
    /// it throws because the task was cancelled, they are `uncertain`, and messages not yet handed over are failed.
    ///
    /// - Parameter withheld: providers that nothing more is sent through; their devices fail with the reason.
    @concurrent
    public func deliver(_ page: PreparedPage, withheld: [Int: PushStopReason] = [:]) async -> DeliveredPage {
        let sentAt = clock.now
        var outcomes = page.devices.map(\.settled)
        let slices = slices(of: page, withheld: withheld, outcomes: &outcomes)
        if slices.count == 1 {
            place(await send(slices[0]), of: slices[0], in: &outcomes)
        } else if !slices.isEmpty {
            await withTaskGroup(of: (Int, [PushOutcome]).self) { group in
                for (number, slice) in slices.enumerated() {
                    group.addTask { (number, await send(slice)) }
                }
                for await (number, sliceOutcomes) in group { place(sliceOutcomes, of: slices[number], in: &outcomes) }
            }
        }
        let results = zip(page.devices, outcomes).map { device, outcome in
            PushDeliveryResult(
                registrationID: device.registration.id, token: device.registration.token,
                platform: device.registration.platform, provider: device.providerIndex.map { providers[$0].identifier },
                outcome: outcome ?? PushOutcome(.error, reason: "the provider gave no outcome"))
        }
        if !interceptors.isEmpty { await tellInterceptors(page, results) }
        return DeliveredPage(
            batchID: page.batchID, results: results, providerIndexes: page.devices.map(\.providerIndex), sentAt: sentAt,
            cursor: page.devices.last?.registration.id ?? .unsaved)
    }

    /// Messages that are handed to one provider together, and the devices they are for.
    private struct Slice: Sendable {
        var provider: Int
        var devices: [Int]
        var messages: [PushMessage]
    }

    /// The messages of the page by provider.
    private func slices(
        of page: PreparedPage, withheld: [Int: PushStopReason], outcomes: inout [PushOutcome?]
    ) -> [Slice] {
        var messageIDs = MessageIDs(batchID: page.batchID)
        var slices = providers.indices.map { Slice(provider: $0, devices: [], messages: []) }
        for (index, device) in page.devices.enumerated() where device.settled == nil {
            guard let provider = device.providerIndex, let notification = device.notification else { continue }
            if let reason = withheld[provider] {
                outcomes[index] = PushOutcome(.configurationError, reason: "not sent: \(reason)")
                continue
            }
            slices[provider].devices.append(index)
            slices[provider].messages.append(
                PushMessage(
                    notification: notification, registration: device.registration,
                    messageID: messageIDs.id(for: device.registration)))
        }
        return slices.filter { !$0.messages.isEmpty }.flatMap(parts)
    }

    /// The slice in parts that may be in flight. Where it takes more than half of what may be, it goes in quarters, so
    /// that others begin while the last messages of one are waited for.
    private func parts(of slice: Slice) -> [Slice] {
        guard slice.messages.count > max(1, inFlight.limit / 2) else { return [slice] }
        let size = max(1, inFlight.limit / 4)
        return zip(slice.devices.pages(of: size), slice.messages.pages(of: size)).map {
            Slice(provider: slice.provider, devices: $0, messages: $1)
        }
    }

    private func send(_ slice: Slice) async -> [PushOutcome] {
        await inFlight.begin(slice.messages.count)
        let outcomes = await outcomes(of: slice)
        await inFlight.finish(slice.messages.count)
        return outcomes
    }

    private func outcomes(of slice: Slice) async -> [PushOutcome] {
        let count = slice.messages.count
        guard !Task.isCancelled else {
            return Array(
                repeating: PushOutcome(.error, reason: "not sent: the batch was cancelled first"), count: count)
        }
        let provider = providers[slice.provider]
        do {
            let outcomes = try await provider.send(slice.messages)
            guard outcomes.count == count else {
                logger.error(
                    "A provider returned the wrong number of outcomes",
                    ["provider": provider.identifier, "messages": "\(count)", "outcomes": "\(outcomes.count)"])
                let reason = "the provider returned \(outcomes.count) outcomes for \(count) messages"
                return Array(repeating: PushOutcome(.uncertain, reason: reason), count: count)
            }
            return outcomes
        } catch {
            if error is CancellationError || Task.isCancelled {
                return Array(
                    repeating: PushOutcome(.uncertain, reason: "the batch was cancelled before an answer came"),
                    count: count)
            }
            logger.error("A provider failed", ["provider": provider.identifier, "error": "\(error)"])
            return Array(repeating: PushOutcome(.error, reason: "the provider failed: \(error)"), count: count)
        }
    }

    private func place(_ sliceOutcomes: [PushOutcome], of slice: Slice, in outcomes: inout [PushOutcome?]) {
        for (device, outcome) in zip(slice.devices, sliceOutcomes) { outcomes[device] = outcome }
    }

    /// Calls the outcome hooks of the interceptors that let a device pass. A skipped device has no outcome to hear of.
    private func tellInterceptors(_ page: PreparedPage, _ results: [PushDeliveryResult]) async {
        var failures = FailureLog(logger: logger, batchID: page.batchID)
        for (device, result) in zip(page.devices, results) where result.status != .skipped {
            guard let notification = device.notification else { continue }
            var context = PushSendContext(
                batchID: page.batchID, registration: device.registration, notification: notification)
            context.values = device.values
            for interceptor in interceptors.prefix(device.interceptorsPassed) {
                do {
                    if result.status == .success {
                        try await interceptor.onSent(context, result)
                    } else {
                        try await interceptor.onFailed(context, result)
                    }
                } catch {
                    failures.add("An outcome hook of \(interceptor.name) failed", error, device.registration)
                }
            }
        }
        failures.close()
    }
}
