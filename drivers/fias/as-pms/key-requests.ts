import { DeviceFault } from '../../../src/devices/fault.ts'
import { deadline } from '../../../src/devices/inbox.ts'
import type { LockCall, LockSetup } from '../../../src/devices/lock-system.ts'
import { oneAtATime } from '../../../src/devices/one-at-a-time.ts'
import { NotSent } from '../line.ts'
import { stamp } from '../moments.ts'
import type { FiasRecord } from '../record.ts'
import type { LineSettings } from '../settings.ts'
import { missing } from './grant.ts'
import { type KeyLink, keyLink } from './key-link.ts'
import { debtsOf, type Marks, outstanding } from './outstanding.ts'
import type { AcceptedFields, PmsLink } from './pms-link.ts'

/** How long an encoder with a missing answer stays blocked for requests whose answers would look the same. */
const outstandingMs = 60_000
/** The limit of requests for one encoder, including the one in progress. */
const mostAtEncoder = 6

type Fields = Record<string, string | null>

/** Sends requests to a key system and returns their answers. */
export type KeyRequests = ReturnType<typeof keyRequests>

/** The link, with the requests over it. */
interface Requests {
  setup: LockSetup
  workstation: string
  link: KeyLink
  answers: ReturnType<typeof outstanding>
}

interface Request {
  id: string
  fields: Fields
  call: LockCall
}

/** Sends requests over a link of its own. Only the encoder and the workstation of an answer are certain. */
export function keyRequests(setup: LockSetup, settings: LineSettings, workstation: string) {
  const { name, clock } = setup
  const lateMs = outstandingMs * settings.patience
  const debts = setup.remembered((unanswered) => debtsOf(unanswered, lateMs, clock))
  const answers = outstanding(lateMs, clock, debts)
  const link = keyLink(setup, settings, {
    answered: (record) => void answers.receive(record),
    lost: answers.lost,
  })
  const requests: Requests = { setup, workstation, link, answers }
  const inTurn = encoderTurns()

  return {
    link,
    /**
     * Resolves with the answer, whatever its status. `expectFit` throws when the link cannot carry the request. Rejects
     * with a DeviceFault; `lock-system-timeout` from the moment that the request may have arrived.
     */
    async ask(
      id: string,
      fields: Fields,
      call: LockCall,
      expectFit: (link: PmsLink) => void = () => {},
    ): Promise<FiasRecord> {
      const { left } = deadline(clock, call.timeoutMs)
      return inTurn(fields.KC ?? '')(async () => {
        if (call.signal.aborted || left() <= 0)
          throw new DeviceFault('lock-system-busy', `${name}: the request waited too long for the encoder`)
        const to = await link.linked(call)
        expectTaken(name, to.wanted, id, fields)
        expectFit(to)
        return exchange(requests, to, { id, fields, call }, left())
      })
    },
    /**
     * Rejects with a DeviceFault when the request could not be sent now, and when the encoder has not yet answered an
     * earlier one, which it may still carry out.
     */
    async expectReady(id: string, fields: Fields, call: LockCall): Promise<void> {
      const { wanted } = await link.linked(call)
      expectTaken(name, wanted, id, fields)
      if (answers.wouldBeMistaken({ KC: fields.KC ?? null, WS: null, 'G#': null })) throw owing(name)
    },
  }
}

/** A mutex for each encoder; requests without one share a mutex. */
function encoderTurns(): (encoder: string) => ReturnType<typeof oneAtATime> {
  const queues = new Map<string, ReturnType<typeof oneAtATime>>()
  return (encoder) => {
    const queue = queues.get(encoder) ?? oneAtATime(mostAtEncoder, 'lock-system-busy')
    queues.set(encoder, queue)
    return queue
  }
}

async function exchange(requests: Requests, to: PmsLink, request: Request, ms: number): Promise<FiasRecord> {
  const { setup, workstation, answers } = requests
  const { id, fields, call } = request
  const marks = marksOf(to.wanted, id, { ...fields, WS: workstation })
  if (answers.wouldBeMistaken(marks)) throw owing(setup.name)
  const awaited = answers.await(marks, Math.max(1, ms), call.signal)
  const sending = sent(requests, to, request, awaited.forget)
  sending.catch(() => {})
  // An answer proves that the request arrived, even if its acknowledgement was lost.
  const answer = await Promise.race([awaited.answer, sending.then(() => awaited.answer)])
  if (answer !== 'late' && answer !== 'gone') return answer
  if (answer === 'gone') await sending
  const why = answer === 'late' ? `no answer in ${call.timeoutMs} ms` : 'the line was lost before the answer'
  throw new DeviceFault('lock-system-timeout', `${setup.name}: ${why}`)
}

function owing(name: string): DeviceFault {
  return new DeviceFault('lock-system-busy', `${name}: the encoder still has to answer an earlier request`)
}

async function sent(
  { setup, workstation }: Requests,
  to: PmsLink,
  { id, fields }: Request,
  forget: () => void,
): Promise<void> {
  const { name, wallTime, clock } = setup
  try {
    await to.send(id, { ...fields, WS: workstation, ...stamp(wallTime(clock.now())) })
  } catch (error) {
    const mayHaveArrived = error instanceof NotSent && error.mayHaveArrived
    const code = mayHaveArrived ? 'lock-system-timeout' : 'lock-system-unreachable'
    if (!mayHaveArrived) forget()
    throw new DeviceFault(code, `${name}: ${(error as Error).message}`, { cause: error })
  }
}

/** Throws when the key system does not accept the record, or not all fields that it needs. */
function expectTaken(name: string, wanted: AcceptedFields, id: string, fields: Fields): void {
  if (!wanted.has(id))
    throw new DeviceFault('unsupported-operation', `${name}: the lock system does not accept ${id}`)
  const lacking = missing(wanted, id, fields)
  // Options that are all off or blank are equal to no options.
  if (fields.KO?.includes('1') && !wanted.get(id)?.has('KO')) lacking.push('KO')
  if (lacking.length === 0) return
  const detail = `${name}: the lock system does not accept ${lacking.join(', ')} in ${id}`
  throw new DeviceFault('unsupported-operation', detail)
}

/**
 * The marks by which the answer can be matched: the fields that were sent, and the reservation number if answers carry
 * it.
 */
function marksOf(wanted: AcceptedFields, id: string, fields: Fields): Marks {
  const names = wanted.get(id)
  const sent = (field: string) => (names?.has(field) ? (fields[field] ?? null) : null)
  const isAnswered = wanted.get('KA')?.has('G#') ?? false
  return { KC: sent('KC'), WS: sent('WS'), 'G#': isAnswered ? sent('G#') : null }
}
