import { readFileSync } from 'node:fs'
import { type Client, type Item, itemsOf } from '../client.ts'
import { CommandFailed } from '../exit-codes.ts'
import { readPassphrase } from '../secret-input.ts'

const path = '/api/config/v1/backup-targets'
/** A backup of a large property over a slow line. */
const sentWithinMs = 6 * 3_600_000

interface TargetAttributes {
  name: string
  kind: string
  url: string
  enabled: boolean | null
  verifiedBackup: string | null
  verifiedAt: string | null
  problem: string | null
}

export interface NewTarget {
  kind: string
  to: string
  user?: string
  secretFile?: string
  hostKey?: string
  region?: string
}

/** Prints one line per target: name, kind, address, the newest backup that was verified there, the problem. */
export async function listTargets(ask: Client): Promise<void> {
  for await (const { attributes } of itemsOf<TargetAttributes>(ask, `${path}?page[size]=100`)) {
    const { name, kind, url, verifiedBackup, problem } = attributes
    console.log([name, kind, url, verifiedBackup ?? 'nothing yet', problem ?? 'ok'].join('\t'))
  }
}

/** Adds a target. A user has a secret, which is read from a file or asked for. */
export async function addTarget(
  ask: Client,
  name: string,
  { kind, to: url, user, secretFile, hostKey, region }: NewTarget,
): Promise<void> {
  const hasSecret = user !== undefined || secretFile !== undefined
  const secret = hasSecret ? await secretIn(secretFile) : undefined
  const attributes = {
    name,
    kind,
    url,
    ...(user !== undefined && { user }),
    ...(secret !== undefined && { secret }),
    ...(hostKey !== undefined && { hostKey }),
    ...(region !== undefined && { region }),
  }
  await ask('POST', path, { body: { data: { type: 'backup-target', attributes } } })
  console.log(`${name} was added. "nightporter backup send" sends it the newest backup now.`)
}

/** A private key has many lines, a password one. */
async function secretIn(file: string | undefined): Promise<string> {
  const first = await readPassphrase(file, 'Secret of the target: ')
  return file !== undefined && first.startsWith('-----BEGIN') ? readFileSync(file, 'utf8') : first
}

/** Sends the newest backup to one target, or to all, and waits until it was verified there. */
export async function sendBackup(ask: Client, named: string | undefined): Promise<void> {
  const found: Item<TargetAttributes>[] = []
  for await (const each of itemsOf<TargetAttributes>(ask, `${path}?page[size]=100`))
    if (named === undefined || each.id === named || each.attributes.name === named) found.push(each)
  if (found.length === 0)
    throw new CommandFailed('missing', 'There is no such target. "nightporter backup targets" shows all.')
  for (const { id, attributes } of found) {
    const { body } = await ask<{ data: { attributes: { backup: string } } }>(
      'POST',
      `${path}/${id}/actions/send`,
      { withinMs: sentWithinMs },
    )
    console.log(`${attributes.name}: ${body.data.attributes.backup} is there and was verified.`)
  }
}

/** Removes a target from the property. The backups there stay. */
export async function removeTarget(ask: Client, named: string): Promise<void> {
  for await (const { id, attributes } of itemsOf<TargetAttributes>(ask, `${path}?page[size]=100`)) {
    if (id !== named && attributes.name !== named) continue
    await ask('DELETE', `${path}/${id}`)
    return console.log(`${attributes.name} was removed. The backups there stay.`)
  }
  throw new CommandFailed('missing', `There is no target ${named}. "nightporter backup targets" shows all.`)
}
