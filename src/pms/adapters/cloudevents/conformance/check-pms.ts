import { DeviceFault } from '../../../../devices/fault.ts'
import { type Check, type Scene, Skipped, Unmet } from './check.ts'
import { readChecks } from './read-checks.ts'
import { type Exchange, type OpenScene, openScene, type SceneOptions } from './scene.ts'
import { writeChecks } from './write-checks.ts'

/** The result of one check. */
export interface CheckResult {
  name: string
  outcome: 'passed' | 'failed' | 'skipped'
  /** Why it failed or was skipped, in a sentence; null for a passed one. */
  reason: string | null
  /** What the contract asks for. */
  expected: string
  /** The requests of the check with their answers. */
  exchanges: Exchange[]
  /** The PMS could not be reached. */
  isSilent: boolean
}

export interface CheckOptions extends Omit<SceneOptions, 'unitTypeCode'> {
  /** Null: the first that the changes of the PMS name. */
  unitTypeCode: string | null
  /** Makes only the checks that change nothing. */
  readOnly: boolean
  /** Receives each result as it comes. */
  report(result: CheckResult): void
}

/**
 * Checks whether a PMS keeps to the open contract. It makes one reservation a year from now, changes it and checks it out. Rejects
 * with an internal error only: every failure of the PMS is a result.
 */
export async function checkPms(options: CheckOptions): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  const take = (result: CheckResult) => {
    results.push(result)
    options.report(result)
  }
  const read = openScene({ ...options, unitTypeCode: '' })
  for (const check of readChecks) take(await resultOf(check, read))
  if (options.readOnly) return results
  const unitTypeCode = options.unitTypeCode ?? (await firstUnitType(read.scene))
  const write = openScene({ ...options, unitTypeCode: unitTypeCode ?? '' })
  Object.assign(write.scene, { contract: read.scene.contract, cursor: read.scene.cursor })
  for (const check of writeChecks) take(unitTypeCode ? await resultOf(check, write) : skipped(check))
  return results
}

async function resultOf(
  { name, expected, run }: Check,
  { scene, exchanges }: OpenScene,
): Promise<CheckResult> {
  exchanges.length = 0
  let isSilent = false
  const result = (outcome: CheckResult['outcome'], reason: string | null): CheckResult => ({
    name,
    outcome,
    reason,
    expected,
    exchanges: [...exchanges],
    isSilent,
  })
  try {
    await run(scene)
    return result('passed', null)
  } catch (error) {
    if (error instanceof Skipped) return result('skipped', error.message)
    if (!isOfPms(error)) throw error
    isSilent = error instanceof DeviceFault && error.code === 'adapter-timeout'
    return result('failed', error.message)
  }
}

function isOfPms(error: unknown): error is Error {
  return error instanceof Unmet || error instanceof DeviceFault
}

function skipped({ name, expected }: Check): CheckResult {
  const reason = 'No unit type is known (--unit-type).'
  return { name, outcome: 'skipped', reason, expected, exchanges: [], isSilent: false }
}

/** The code of the first unit type that a reservation of the PMS names; null for none. */
async function firstUnitType({ allAfter }: Scene): Promise<string | null> {
  try {
    const { changes } = await allAfter(null)
    const stays = changes.flatMap((each) => (each.is === 'reservation' ? (each.value?.stays ?? []) : []))
    return stays.flatMap(({ units = [] }) => units)[0]?.unitTypeCode ?? null
  } catch (error) {
    if (isOfPms(error)) return null
    throw error
  }
}
