import { DeviceFault } from '../../../devices/fault.ts'
import { unit } from '../../../reservation/resources/unit.ts'
import type { Reader } from '../../../resource/keeper.ts'
import { roomStatusOf } from './fields.ts'

interface RoomReporterOptions {
  reader: Reader
  /** Sends a record. Rejects with DeviceFault. */
  send(id: 'RE', fields: { RN: string; RS: string }): Promise<void>
  /** Why the name of a unit cannot be sent; null when it can. */
  roomProblem(unitName: string): string | null
  failed(error: unknown): void
}

const mostUnits = 10_000

/**
 * Sends the status of each unit to the PMS as RE: all of them after each announcement of the link (LR), because the protocol
 * repeats nothing that was missed, and afterwards those that have changed. A unit whose name the PMS cannot have is left out.
 */
export function roomReporter({ reader, send, roomProblem, failed }: RoomReporterOptions) {
  /** RS by room, as it was sent last. */
  const sent = new Map<string, string>()
  let work = Promise.resolve()

  async function sendChanged(): Promise<void> {
    const units = reader.rows(unit, { filters: [], sort: [], page: { size: mostUnits } })
    for (const { name, status, occupied } of units) {
      const RS = roomStatusOf(String(status), occupied === true)
      if (RS === null || sent.get(name) === RS || roomProblem(name)) continue
      await send('RE', { RN: name, RS })
      sent.set(name, RS)
    }
  }

  /** Sends what has changed. Never rejects: the line may go down, and then everything is sent when it is up again. */
  function report(): void {
    work = work.then(sendChanged).catch((error) => {
      if (!(error instanceof DeviceFault)) failed(error)
    })
  }

  return {
    report,
    /** The PMS has confirmed the announcement. */
    linked(): void {
      sent.clear()
      report()
    },
  }
}
