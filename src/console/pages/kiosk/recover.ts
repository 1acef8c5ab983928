import { effect } from '@preact/signals'
import { cancelTerminalPayment, readTerminalPayment } from './box.ts'
import { lateMs, resume } from './cards/cards.ts'
import { resumeCheckOut } from './check-out/begin.ts'
import type { Row } from './failures.ts'
import { now } from './house.ts'
import { type Pending, remembered } from './pending.ts'
import { lastPages } from './screen.ts'
import { giveUp, leave, present, screen, Visit } from './visit.ts'
import { resumePayment } from './way.ts'

/** How often a visit goes on with what is under way after a failure of the page. */
const mostResumes = 2
let resumes = 0
effect(() => {
  if (screen.value.name === 'welcome') resumes = 0
})

/** A page that fails so often in five minutes cannot help itself. */
const mostFailures = 3
let failures = 0
setInterval(() => {
  failures = 0
}, 300_000)
/** Whether the page is to be loaded anew when no guest is there. */
export const failsOften = () => failures > mostFailures

/** Goes on with what was under way, and shows how it ends. The box is asked by the id of the request, so that nothing is done twice. */
export function goOnWith(visit: Visit, pending: Pending): Promise<void> {
  if ('isCheckOut' in pending) return resumeCheckOut(visit, pending)
  return 'isPayment' in pending ? resumePayment(visit, pending) : resume(visit, pending)
}

/** The screens on which nothing is under way. */
const resting: readonly string[] = ['welcome', 'sentence', ...lastPages]

/**
 * Ends what the page cannot go on with. A payment or card that is under way is found again at the box; otherwise the guest is
 * sent to the desk, and the start page ends the visit. `isDrawn`: the screen itself is there.
 */
export async function recover(failure: 'page-error' | 'page-stuck', isDrawn = true): Promise<void> {
  failures++
  const broken = present.value
  const { name } = broken.screen.peek()
  if (isDrawn && resting.includes(name)) return
  // These have nothing to go back to.
  if (name === 'welcome' || name === 'sentence') return leave()
  broken.end()
  const kept = await remembered()
  const pending = kept && isOf(broken, kept) ? kept : undefined
  // The guest has left meanwhile.
  if (present.value !== broken) return
  if (!pending || ++resumes > mostResumes) return sendToDesk(name, pending, failure)
  const next = new Visit()
  next.found = broken.found
  const going = goOnWith(next, pending)
  present.value = next
  await going
}

/** Another guest's order must not be gone on with. Only a visit that goes on after a reload does not know its stay yet. */
const isOf = ({ found, screen }: Visit, { stayId }: Pending) =>
  found === null ? screen.peek().name === 'working' : found.stay.id === stayId

function sendToDesk(name: string, pending: Pending | undefined, failure: string): void {
  const { found } = present.value
  const isPaying = pending !== undefined && 'isPayment' in pending
  // Without a guest who waits for it, a payment must not be taken later.
  if (isPaying && found) cancelTerminalPayment(found.stay, AbortSignal.timeout(20_000)).catch(console.error)
  giveUp(isPaying ? 'paymentUnknown' : rowOfBroken(name, pending), failure, 'page')
}

function rowOfBroken(name: string, pending: Pending | undefined): Row {
  if (pending && 'isCheckOut' in pending) return 'leaveAtDesk'
  return name === 'working' || pending ? 'cannotMake' : 'helpAtDesk'
}

/**
 * Ends a screen on which the box works and nothing has happened. A payment that the box still takes goes on, and so does a card
 * that the machine leaves at the gate for longer.
 */
export async function endStuck(): Promise<void> {
  const { found, signal } = present.value
  const shown = screen.value
  if (shown.name === 'take-card' && shown.deadline !== null && now() < shown.deadline + 2 * lateMs) return
  if (shown.name === 'paying' && found) {
    const last = await readTerminalPayment(found.stay, signal).catch(() => null)
    if (signal.aborted || (last?.state === 'open' && last.inDoubtSince === null)) return
  }
  await recover('page-stuck')
}
