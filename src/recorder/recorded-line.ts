import type { Duplex } from 'node:stream'
import { trunkOf } from '../devices/branch.ts'
import type { Direction, WireMask } from '../devices/mask.ts'
import { requesterOf } from '../devices/on-behalf.ts'
import { type CallNotes, recordedCalls } from './calls.ts'
import type { LineAbout, Mark } from './entry.ts'
import { beginLine, markOf, type OpenLine, type Recording, smallEntry, write } from './recording.ts'
import { withoutRepeats } from './repeats.ts'
import { joined, tapped } from './tap.ts'

/** One recorded wire. */
export type RecordedLine = ReturnType<typeof recordLine>

/** Returns a driver's mask for a device with these options. */
export type MaskOf = (options: Record<string, unknown>) => WireMask

/**
 * Records a wire. For a branch of a recorded wire only the calls are recorded; its chunks are recorded with
 * that wire.
 */
export function recordLine(recording: Recording, about: LineAbout, mask: MaskOf | undefined, wire: Duplex) {
  const { lines, trunks, later } = recording
  const trunk = trunks.get(trunkOf(wire))
  const joining = trunk ? { ...about, joins: trunk.number } : about
  const line = beginLine(recording, joining, trunk?.isMasked ?? mask !== undefined)
  const looks = withoutRepeats((at, happening) => write(recording, line, at, happening))
  const { passed, settle } = joined<Mark>(mask?.(about.options ?? {}) ?? null, (at, kind, kept, size) =>
    looks.put(at, kept ? { kind, hex: Buffer.from(kept).toString('hex') } : { kind, size }),
  )
  line.settle = trunk?.settle ?? settle
  lines.add(line)
  const over = () => {
    const at = markOf(recording, line)
    later.put(smallEntry, () => {
      line.settle()
      looks.release()
      write(recording, line, at, { kind: 'close' })
      lines.delete(line)
    })
  }
  const record = (direction: Direction, chunk: Uint8Array) => {
    const at = markOf(recording, line)
    // The caller may reuse the buffer.
    const copy = Uint8Array.prototype.slice.call(chunk)
    later.put(smallEntry + copy.length, () => passed(at, direction, copy))
  }
  if (trunk) wire.once('close', over)
  const seen = trunk ? wire : tapped(wire, record, over)
  if (!trunk) trunks.set(seen, line)
  const notes = callNotes(recording, line, looks.put)
  return {
    wire: seen,
    /** Returns a proxy of the device that records its calls. */
    calls: <Device extends object>(device: Device) => recordedCalls(device, notes),
  }
}

/** Records the calls of a device, each with the request that caused it. */
function callNotes(
  recording: Recording,
  line: OpenLine,
  put: ReturnType<typeof withoutRepeats>['put'],
): CallNotes {
  const note = (happening: Parameters<typeof put>[1]) => {
    const at = markOf(recording, line)
    recording.later.put(smallEntry, () => {
      line.settle()
      put(at, happening)
    })
    return at.n
  }
  return {
    begun(method, args) {
      line.request = requesterOf()
      return note({ kind: 'call', method, args })
    },
    ended(call, outcome) {
      note({ kind: 'outcome', call, ...outcome })
      line.request = undefined
    },
  }
}
