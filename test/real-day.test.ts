import { firstArrival, realDay, withoutBookings } from './real-day.ts'
import { testClock } from './test-clock.ts'

realDay(
  'wires in memory',
  withoutBookings,
  testClock({ wallMs: firstArrival, always: false, wallStands: true }),
  async () => ({ dispenser: 'simulated:dispenser', encoder: 'simulated:encoder' }),
)
