import { Problem } from '../../resource/problem.ts'
import type { DispenserHandle } from '../controllers/device-handle.ts'
import type { commandedStates, Dispenser } from '../resources/dispenser.ts'

type State = (typeof commandedStates)[number]

/** The states from which each state may be commanded; null for any. */
const from: Record<State, readonly State[] | null> = {
  active: ['inactive', 'maintenance', 'accepting', 'active'],
  inactive: null,
  accepting: ['active'],
  maintenance: null,
  initialize: null,
}

/** Throws dispenser-state when the state may not follow, and dispenser-busy-with-guest while a card is on its way. */
export function expectCommandable(
  to: State,
  { commandedState }: Dispenser,
  { guest, activity }: DispenserHandle,
): void {
  const now = commandedState ?? 'active'
  const allowed = from[to]
  if (allowed && !allowed.includes(now)) {
    throw new Problem('dispenser-state', `The dispenser is ${now}, and cannot be set to ${to} from there.`, {
      meta: { state: now, allowed },
    })
  }
  // Maintenance may begin while a card is on its way: the card is finished, and its guest takes it.
  if (to !== 'maintenance' && (guest || activity)) {
    throw new Problem(
      'dispenser-busy-with-guest',
      'A card for a guest is being made or waits at the gate. Wait until it is taken.',
      {
        meta: { retryAfterSeconds: 5 },
      },
    )
  }
}
