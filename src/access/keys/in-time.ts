import { DeviceFault, type FaultCode } from '../../devices/fault.ts'
import type { Clock } from '../../host/clock.ts'
import { Problem } from '../../resource/problem.ts'
import type { Progress } from '../cards/issue-card.ts'
import { deviceProblem, faultBehind } from '../equipment/device-problem.ts'
import type { AccessController } from '../resources/access-controller.ts'

/**
 * The caller always gets an answer. What was not verified by then is not made any more: the card is captured. One that
 * is on its way to the gate goes on, and its end is written down all the same.
 */
export async function inTime<T>(
  made: Promise<T>,
  { timeoutMs, name }: AccessController,
  /** `kept` is told of one who waited for his turn until his time was over. */
  {
    progress,
    isOnline,
    kept,
    clock,
  }: { progress: Progress; isOnline: boolean; kept: () => void; clock: Clock },
  failed: (error: unknown) => void,
): Promise<T> {
  const limit = timeoutMs ?? 18_000
  const late = Promise.withResolvers<never>()
  const timer = clock.setTimeout(() => {
    progress.late = true
    const { step, begun } = progress
    if (step === 'queued') kept()
    const code = (isOnline && onlineLateCodes[step]) || lateCodes[step]
    const fault = new DeviceFault(code, `Controller ${name} gave no answer within ${limit / 1000} s.`)
    late.reject(deviceProblem(fault, begun ? { keyId: begun.keyId, step } : { step }))
    made.catch((error) => faultBehind(error) ?? (error instanceof Problem || failed(error)))
  }, limit)
  try {
    return await Promise.race([made, late.promise])
  } finally {
    timer.cancel()
  }
}

/** What an answer says that cannot wait for the end. Before the first byte is written nothing can come of it. */
const lateCodes: Record<Progress['step'], FaultCode> = {
  queued: 'encoder-busy',
  asked: 'encoder-timeout',
  feeding: 'dispenser-timeout',
  searching: 'encoder-timeout',
  writing: 'encoder-timeout-writing',
  proving: 'encoder-timeout-writing',
  verified: 'dispenser-timeout',
  presenting: 'dispenser-timeout',
  done: 'dispenser-timeout',
}

/** The same where a lock system writes the key itself. */
const onlineLateCodes: Partial<Record<Progress['step'], FaultCode>> = {
  queued: 'lock-system-busy',
  asked: 'lock-system-unreachable',
  searching: 'lock-system-unreachable',
  writing: 'lock-system-timeout',
  proving: 'lock-system-timeout',
}
