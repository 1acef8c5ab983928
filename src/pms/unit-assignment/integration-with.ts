import { DeviceFault, type FaultCode } from '../../devices/fault.ts'
import type { Actor } from '../../resource/command.ts'
import { orAdapterProblem } from '../adapter-problem.ts'
import { assignAnswerSchema, plainAnswer } from '../answers.ts'
import type { AssignAnswer } from '../contract.ts'
import type { PmsConfiguration } from '../resources/pms-configuration.ts'
import type { Session } from '../session.ts'
import type { Integration, UnitAnswer, UnitRequest } from './integration.ts'

/** The services that an integration uses. */
interface IntegrationOptions {
  sessionOf(): Session
  /** Called when the adapter reports that the PMS cannot be reached. */
  unreachable(fault: DeviceFault): void
  /** Whether the appliance synchronises with this PMS, so that units can be lent. */
  isLinked(): boolean
}

/** Faults that mean that the PMS received no request. Any other fault came from a reachable PMS. */
const unreachableCodes: readonly FaultCode[] = ['adapter-timeout', 'adapter-crashed']

/**
 * The integration of a PMS that assigns units. Its reservations receive no units while it is switched off. While it
 * cannot be reached, they receive only the units that it has lent.
 */
export function pmsIntegration(
  row: PmsConfiguration,
  { sessionOf, unreachable, isLinked }: IntegrationOptions,
): Integration {
  const { name } = row

  async function pick(request: UnitRequest, actor: Actor): Promise<UnitAnswer> {
    const given = await sessionOf().ask({ what: 'unit-assignment', changes: true }, (open, signal) =>
      open.assignUnit?.(request, { signal, actor }),
    )
    const answer = await plainAnswer<AssignAnswer>(name, assignAnswerSchema, given)
    if (answer.is === 'unavailable') {
      const fault = new DeviceFault('adapter-timeout', `${name}: ${answer.reason}`)
      unreachable(fault)
      throw fault
    }
    if (answer.is !== 'chosen') return answer
    if (answer.unitIds.length === request.unitTypeIds.length) {
      return { is: 'chosen', unitIds: answer.unitIds.map((id) => id.toLowerCase()) }
    }
    throw new DeviceFault(
      'vendor-error',
      `${name} chose ${answer.unitIds.length} units where ${request.unitTypeIds.length} were needed.`,
    )
  }

  async function picked(request: UnitRequest, actor: Actor): Promise<UnitAnswer> {
    try {
      return await pick(request, actor)
    } catch (error) {
      if (!(error instanceof DeviceFault) || !isLinked() || !unreachableCodes.includes(error.code))
        throw error
      return allotmentOnly(row, `There is no connection to ${name}`)
    }
  }

  return {
    async pickUnits(request, actor) {
      if (row.enabled === false) return { is: 'none-eligible', reason: `${name} is switched off.` }
      return orAdapterProblem(picked(request, actor))
    },
  }
}

/**
 * The integration of a PMS that lends units without assigning any: the appliance assigns from the lent units, online
 * and offline.
 */
export function allotmentIntegration(row: PmsConfiguration): Integration {
  return { pickUnits: async () => allotmentOnly(row, `${row.name} gives units unreachable by itself`) }
}

function allotmentOnly({ id, name }: PmsConfiguration, reason: string): UnitAnswer {
  return { is: 'lent-only', configurationId: id, name, reason }
}
