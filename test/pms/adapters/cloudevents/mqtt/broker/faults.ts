import type { PacketCmd } from 'mqtt-packet'
import type { Direction, Passing, Verdict } from './broker-link.ts'

type Judge = (passing: Passing) => Verdict

/** Does it once, to the n-th packet of those it is about; counted over all connections. */
export function atPacket(
  n: number,
  verdict: Verdict,
  isAbout: (passing: Passing) => boolean,
): Judge & { happened: () => boolean } {
  let seen = 0
  const judge = (passing: Passing): Verdict => (isAbout(passing) && ++seen === n ? verdict : 'pass')
  return Object.assign(judge, { happened: () => seen >= n })
}

/** Does the same to each packet of a kind, as often as asked. */
export function doesTo(cmd: PacketCmd, direction: Direction, verdict: Verdict, times = Infinity): Judge {
  let left = times
  return ({ packet, direction: way }) => {
    if (packet.cmd !== cmd || way !== direction || left <= 0) return 'pass'
    left--
    return verdict
  }
}
