import type { BayEvent } from '../../src/devices/bay/bay-event.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import type { GuestLink, GuestLinkDriver, GuestLinkSetup } from '../../src/devices/network/guest-link.ts'
import { keyOrders, keyRecords } from './as-key-system/key-orders.ts'
import { type VendorLink, vendorLink } from './as-key-system/vendor-link.ts'
import { codePage } from './code-page.ts'
import { NotSent } from './line.ts'
import { linkBay } from './link-bay.ts'
import { announced } from './protocol.ts'
import { readField } from './read-field.ts'
import { roomProblem } from './record.ts'
import { lineSettings, requestSettings, serviceSchema } from './settings.ts'

/** A PMS reports its guests over FIAS, and may order keys on the same line. The appliance acts as a vendor's system. */
export const fiasGuests: GuestLinkDriver = { connection: serviceSchema, readField, open }

/** The records about guests and rooms that the appliance wants. */
const guestRecords = announced('GI', 'GC', 'GO', 'RE', 'DR', 'DS', 'DE')

function open(setup: GuestLinkSetup): GuestLink {
  const { name, clock, wallTime, unread, doubted, family, handle } = setup
  const settings = lineSettings(setup.connection)
  const { options } = requestSettings(setup.connection)
  const page = codePage(settings.codePage)
  const unanswered = (fault: Error) => setup.log({ bay: name, what: 'failed', at: clock.now(), fault })
  const orders = handle && keyOrders({ clock, options, handle, unanswered })
  const wanted = [...guestRecords, ...(orders ? keyRecords : [])]

  /** The active link; null when there is none. */
  let linked: VendorLink | null = null

  const log = (event: BayEvent) => {
    setup.log(event)
    if (event.what === 'online') return
    linked = null
    setup.cut(event.fault?.message ?? 'is closed')
  }
  const { state, close } = linkBay(settings, { ...setup, log, offlineCode: 'adapter-timeout' }, (wire) => {
    const link: VendorLink = vendorLink(wire, {
      ...settings,
      clock,
      page,
      wallTime,
      family,
      wanted,
      received(record) {
        if (!orders?.take(record, link)) setup.received(record)
      },
      unread,
      doubted: (record, doubt) => doubted(record, { doubt, codePage: page.name }),
      linked() {
        linked = link
        setup.linked()
      },
    })
    return link
  })

  return {
    state,
    roomProblem: (unitName) => roomProblem(unitName, page),
    async send(id, fields) {
      if (!linked) throw new DeviceFault('adapter-timeout', `${name}: the PMS is not connected`)
      try {
        await linked.send(id, fields)
      } catch (error) {
        throw error instanceof NotSent ? notSent(name, error) : error
      }
    },
    close,
  }
}

function notSent(name: string, error: NotSent): DeviceFault {
  const { mayHaveArrived: outcomeUnknown } = error
  return new DeviceFault('adapter-timeout', `${name}: ${error.message}`, { outcomeUnknown, cause: error })
}
