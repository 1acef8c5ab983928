import { bay } from '../../src/devices/bay.ts'
import type {
  KeyServiceDriver,
  ServiceAnswer,
  ServiceLink,
  ServiceSetup,
} from '../../src/devices/key-service.ts'
import { codePage } from './code-page.ts'
import { type KeySystemLink, keySystemLink } from './key-system-link.ts'
import type { FiasRecord } from './record.ts'
import { serviceFields, serviceRequest } from './service-request.ts'
import { lineSettings, requestSettings, serviceSchema } from './settings.ts'
import { wireMask } from './wire-mask.ts'
import { wires } from './wires.ts'

/** How many requests may be at work, over all encoders. */
const mostAtWork = 16
/** Whatever hangs, the PMS is told before it has forgotten that it asked. */
const silentMs = 120_000

/** A foreign PMS orders keys over FIAS, ourselves being the key system. */
export const fiasService: KeyServiceDriver = {
  name: 'fias',
  vendor: 'FIAS (many PMS)',
  provenance: { known: 'vendor-manual', proven: ['simulator'], probing: 'nothing' },
  connection: serviceSchema,
  mask: wireMask,
  open,
}

function open(setup: ServiceSetup): ServiceLink {
  const { name, now, wallTime } = setup
  const settings = lineSettings(setup.connection)
  const { options } = requestSettings(setup.connection)
  const page = codePage(settings.codePage)
  const source = wires(settings, setup.openWire)
  let atWork = 0

  const line = bay<KeySystemLink>({
    name,
    now,
    log: setup.log,
    offlineCode: 'lock-system-unreachable',
    startTimeoutMs: source.startTimeoutMs,
    backoff: source.backoff,
    async open(signal) {
      const wire = await source.open(signal)
      const device = keySystemLink(wire, {
        ...settings,
        page,
        wallTime,
        asked: (record, answer) =>
          void answerTo(record).then((said) =>
            answer(record.id === 'KZ' && said.outcome === 'done' ? 'KZ' : 'KA', serviceFields(record, said)),
          ),
        unanswered: (fault) => setup.log({ bay: name, what: 'failed', at: now(), fault }),
      })
      return { device, wire }
    },
    started: (device) => device.start(),
  })

  /** Never rejects, and always comes to an end. */
  async function answerTo(record: FiasRecord): Promise<ServiceAnswer> {
    const request = serviceRequest(record, options)
    if (typeof request === 'string') return { outcome: 'refused', text: request }
    if (atWork >= mostAtWork) return { outcome: 'busy', text: 'Too many requests' }
    atWork++
    const { promise: silence, resolve } = Promise.withResolvers<ServiceAnswer>()
    const timer = setTimeout(
      () => resolve({ outcome: 'refused', text: 'No answer; look at the card' }),
      silentMs,
    )
    try {
      return await Promise.race([setup.handle(request), silence])
    } catch {
      return { outcome: 'refused', text: 'Unexpected error; look at the card' }
    } finally {
      clearTimeout(timer)
      atWork--
    }
  }

  return {
    state: () => ({ line: line.state(), since: line.since, fault: line.lastFault }),
    async close() {
      await Promise.all([line.close(), source.close()])
    },
  }
}
