import { deadline } from '../../src/devices/inbox.ts'
import type { Clock } from '../../src/host/clock.ts'
import { answers, type EncoderCommandName, isRefusal, refusals } from './protocol.ts'

interface Debt {
  name: EncoderCommandName
  by: ReturnType<typeof deadline>
}

/**
 * The outstanding answers of the encoders. An answer names its command and its encoder, but not its room: a late answer
 * looks like the answer to the encoder's next request. No request is therefore sent to an encoder with an outstanding
 * answer. The list survives a reconnection and a change of the connection, because a serial line has no connections.
 */
export type OutstandingAnswers = ReturnType<typeof outstandingAnswers>

/** Keeps the requests of each encoder whose answer may still come, so that a late one is not taken for another's. */
export function outstandingAnswers(clock: Clock) {
  const debts = new Map<string, Debt[]>()

  function of(encoder: string): Debt[] {
    const left = (debts.get(encoder) ?? []).filter(({ by }) => by.left() > 0)
    keep(encoder, left)
    return left
  }

  function keep(encoder: string, list: Debt[]): void {
    if (list.length > 0) debts.set(encoder, list)
    else debts.delete(encoder)
  }

  return {
    owe(encoder: string, name: EncoderCommandName, forMs: number): void {
      const list = of(encoder)
      const known = list.find((debt) => debt.name === name)
      // Each request to such an encoder cancels its work again. An encoder that answers no cancellation would be busy
      // for ever.
      if (known && name === 'EX') return
      // A start tells of the earlier requests in any order.
      if (known && known.by.left() > forMs) return
      keep(encoder, [...list.filter((debt) => debt !== known), { name, by: deadline(clock, forMs) }])
    },
    /** Records an answer that no caller waited for. */
    settle([name = '', from = '']: readonly string[]): void {
      const encoder = from === '' ? '' : String(Number(from))
      const list = of(encoder)
      const answered = list.find((debt) => answers(debt.name, name)) ?? refused(list, name)
      // The confirmed cancellation ends all earlier work of the encoder.
      if (answered?.name === 'EX') keep(encoder, [])
      else
        keep(
          encoder,
          list.filter((debt) => debt !== answered),
        )
    },
    owes: (encoder: string): boolean => of(encoder).length > 0,
    /** Whether any answer is outstanding. */
    any: (): boolean => [...debts.keys()].some((encoder) => of(encoder).length > 0),
  }
}

/**
 * The outstanding answer that a failure settles. When EX and another answer are outstanding, a failure that may belong
 * to EX settles neither: a request that may still be in progress must not count as failed.
 */
function refused(list: readonly Debt[], name: string): Debt | undefined {
  if (!isRefusal(name)) return undefined
  if (refusals[name]?.ofCard) return list.find((debt) => debt.name !== 'EX')
  return list.length === 1 ? list[0] : undefined
}
