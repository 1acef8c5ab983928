import type { KeyServiceDriver, ServiceLink, ServiceSetup } from '../../src/devices/key-service.ts'
import { keyOrders, keyRecords } from './as-key-system/key-orders.ts'
import { type VendorLink, vendorLink } from './as-key-system/vendor-link.ts'
import { codePage } from './code-page.ts'
import { linkBay } from './link-bay.ts'
import type { FiasRecord } from './record.ts'
import { lineSettings, requestSettings, serviceSchema } from './settings.ts'
import { wireMask } from './wire-mask.ts'

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
  const unanswered = (fault: Error) => setup.log({ bay: name, what: 'failed', at: clock.now(), fault })
  const orders = keyOrders({ clock, options, handle, unanswered })
  return linkBay(settings, { ...setup, offlineCode: 'lock-system-unreachable' }, (wire) => {
    const received = (record: FiasRecord) => void orders.take(record, link)
    const link: VendorLink = vendorLink(wire, {
      ...settings,
      clock,
      page,
      wallTime,
      family: 'DL',
      wanted: keyRecords,
      received,
    })
    return link
  })
}
