import type { Controller } from '../check-in/guest-card.ts'
import type { Client } from '../client.ts'
import { CommandFailed } from '../exit-codes.ts'
import type { Steps } from './commission-steps.ts'

interface MappedUnits {
  mapped: { unitName: string; externalCode: string }[]
  kept: unknown[]
  unmapped: { unitName: string; reason: string }[]
}

const mostListed = 10

/**
 * Reports which units of the property have a lock in the controller's lock system. With a pattern, it first maps the
 * units that have none. Fails when no unit has a lock.
 */
export async function checkUnits(
  ask: Client,
  { run }: Steps,
  { providerId }: Controller,
  pattern: string | undefined,
): Promise<void> {
  await run('units', async () => {
    const isTrial = pattern === undefined
    const path = `/api/config/v1/access-providers/${providerId}/actions/map-units${isTrial ? '?dryRun=true' : ''}`
    const { body } = await ask<{ meta: MappedUnits }>('POST', path, { body: isTrial ? {} : { pattern } })
    const { mapped, kept, unmapped } = body.meta
    const without = isTrial ? [...mapped, ...unmapped] : unmapped
    const count = kept.length + (isTrial ? 0 : mapped.length)
    const says = [
      `${count} of ${count + without.length} units have a lock`,
      !isTrial && mapped.length > 0 ? `mapped now: ${listed(mapped.map(asMapped))}` : [],
      without.length > 0 ? `without a lock: ${listed(without.map((each) => asUnmapped(each)))}` : [],
      isTrial && mapped.length > 0 ? `--map-units gives ${listed(mapped.map(asMapped))}` : [],
    ].flat()
    if (count === 0) throw new CommandFailed('refused', `${says.join('; ')}.`)
    return { found: true, says: says.join('; ') }
  })
}

function asMapped({ unitName, externalCode }: MappedUnits['mapped'][number]): string {
  return unitName === externalCode ? unitName : `${unitName} as ${externalCode}`
}

function asUnmapped(each: { unitName: string; reason?: string }): string {
  return each.reason === undefined ? each.unitName : `${each.unitName} (${each.reason.replace(/\.$/, '')})`
}

function listed(texts: readonly string[]): string {
  const shown = texts.slice(0, mostListed).join(', ')
  return texts.length > mostListed ? `${shown} and ${texts.length - mostListed} more` : shown
}
