import { deadline } from '../../src/devices/inbox.ts'
import type { Clock } from '../../src/host/clock.ts'
import { answers, type CommandName, isRefusal, refusals } from './protocol.ts'

interface Debt {
  name: CommandName
  by: ReturnType<typeof deadline>
}

/**
 * The answers that encoders still owe. An answer names its command and its encoder, but not its room: one that comes
 * late looks like the answer to whatever that encoder is asked next. So nothing is asked of an encoder that owes one.
 * Kept across connections, because a serial line has none.
 */
export interface Owing {
  owe(encoder: string, name: CommandName, forMs: number): void
  /** Takes note of an answer that was not waited for. */
  settle(fields: readonly string[]): void
  owes(encoder: string): boolean
  /** Whether anything is owed by anyone. */
  any(): boolean
}

export function owing(clock: Clock): Owing {
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
    owe(encoder, name, forMs) {
      const others = of(encoder).filter((debt) => debt.name !== name)
      keep(encoder, [...others, { name, by: deadline(clock, forMs) }])
    },
    settle([name = '', from = '']) {
      const encoder = from === '' ? '' : String(Number(from))
      const list = of(encoder)
      const answered = list.find((debt) => answers(debt.name, name)) ?? refused(list, name)
      // Whatever was begun before it was called off has ended with it.
      if (answered?.name === 'EX') keep(encoder, [])
      else
        keep(
          encoder,
          list.filter((debt) => debt !== answered),
        )
    },
    owes: (encoder) => of(encoder).length > 0,
    any: () => [...debts.keys()].some((encoder) => of(encoder).length > 0),
  }
}

/**
 * The debt that a failure pays. Where EX is owed beside another, a failure that EX could have as well pays neither: what
 * is still under way must not pass for failed.
 */
function refused(list: readonly Debt[], name: string): Debt | undefined {
  if (!isRefusal(name)) return undefined
  if (refusals[name]?.ofCard) return list.find((debt) => debt.name !== 'EX')
  return list.length === 1 ? list[0] : undefined
}
