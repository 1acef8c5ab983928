import { DeviceFault } from '../devices/fault.ts'
import type { Integration, UnitAnswer, UnitRequest } from '../reservation/integration.ts'
import type { Actor } from '../resource/change.ts'
import type { AssignAnswer } from './adapter.ts'
import { orAdapterProblem } from './adapter-problem.ts'
import { assignAnswerSchema, plainAnswer } from './answers.ts'
import type { PmsConfiguration } from './resources/pms-configuration.ts'
import type { Session } from './session.ts'

/** The PMS of a configuration as the one who picks units. Its reservations get none while it is switched off. */
export function integrationWith(row: PmsConfiguration, sessionOf: () => Session): Integration {
  const { name } = row

  async function pick(request: UnitRequest, actor: Actor): Promise<UnitAnswer> {
    const given = await sessionOf().ask({ what: 'unit-assignment', changes: true }, (open, signal) =>
      open.assignUnit?.(request, { signal, actor }),
    )
    const answer = await plainAnswer<AssignAnswer>(name, assignAnswerSchema, given)
    if (answer.is === 'unavailable') throw new DeviceFault('adapter-timeout', `${name}: ${answer.reason}`)
    if (answer.is !== 'chosen') return answer
    if (answer.unitIds.length === request.unitTypeIds.length) {
      return { is: 'chosen', unitIds: answer.unitIds.map((id) => id.toLowerCase()) }
    }
    throw new DeviceFault(
      'vendor-error',
      `${name} chose ${answer.unitIds.length} units where ${request.unitTypeIds.length} were lacking.`,
    )
  }

  return {
    async pickUnits(request, actor) {
      if (row.enabled === false) return { is: 'none-eligible', reason: `${name} is switched off.` }
      return orAdapterProblem(pick(request, actor))
    },
  }
}
