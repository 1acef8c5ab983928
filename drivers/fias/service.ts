import { bay } from '../../src/devices/bay/bay.ts'
import type { KeyServiceDriver, ServiceLink, ServiceSetup } from '../../src/devices/key-service.ts'
import { keyOrders, keyRecords } from './as-key-system/key-orders.ts'
import { type VendorLink, vendorLink } from './as-key-system/vendor-link.ts'
import { codePage } from './code-page.ts'
import { lineSettings, requestSettings, serviceSchema } from './settings.ts'
import { wireMask } from './wire-mask.ts'
import { wires } from './wires.ts'

/** A foreign PMS orders keys over FIAS; the appliance acts as the key system. */
export const fiasService: KeyServiceDriver = {
  name: 'fias',
  vendor: 'FIAS (many PMS)',
  provenance: { known: 'vendor-manual', proven: ['simulator'], probing: 'nothing' },
  connection: serviceSchema,
  mask: wireMask,
  open,
}

function open(setup: ServiceSetup): ServiceLink {
  const { name, clock, wallTime, handle } = setup
  const settings = lineSettings(setup.connection)
  const { options } = requestSettings(setup.connection)
  const page = codePage(settings.codePage)
  const source = wires(settings, { ...setup, isThere: async () => (await newest?.isThere()) ?? false })
  const unanswered = (fault: Error) => setup.log({ bay: name, what: 'failed', at: clock.now(), fault })
  const orders = keyOrders({ clock, options, handle, unanswered })
  let newest: VendorLink | null = null

  const line = bay<VendorLink>({
    name,
    clock,
    log: setup.log,
    offlineCode: 'lock-system-unreachable',
    startTimeoutMs: source.startTimeoutMs,
    backoff: source.backoff,
    async open(signal) {
      const wire = await source.open(signal)
      const receive = (record: Parameters<typeof orders.take>[0]) => void orders.take(record, device)
      const device: VendorLink = vendorLink(wire, {
        ...settings,
        clock,
        page,
        wallTime,
        family: 'DL',
        wanted: keyRecords,
        received: receive,
      })
      newest = device
      return { device, wire }
    },
    started: (device) => device.start(),
  })

  return {
    state: () => ({
      line: line.state(),
      since: line.since,
      fault: line.lastFault,
      refusals: source.refusals(),
    }),
    async close() {
      await Promise.all([line.close(), source.close()])
    },
  }
}
