import { isWrapped } from '../../backup/recovery-key.ts'
import { systemClock } from '../../host/clock.ts'
import { ApplianceRefusal, type Client, client } from '../client.ts'
import { CommandFailed } from '../exit-codes.ts'
import { readKeyText, readPassphrase } from '../secret-input.ts'

export interface MoveOptions {
  url: string
  token: string
  /** The pairing code of the new box. */
  code: string
  identity: string
  passphraseFile?: string
}

interface Epoch {
  data: { attributes: { epoch: number; isFenced: boolean } }
}

interface Restore {
  data: {
    id: string
    attributes: { state: string; problem: string | null; unitsToCheck: number | null }
  }
}

const config = '/api/config/v1'
const partBytes = 4_194_304
const pauseMs = 500
/** A backup of a large property on a small box. */
const longestMs = 30 * 60_000

/**
 * Moves the property to a new box: the old one stops making keys, its backup is sent to the new one and restored there. Until the
 * new one takes over, a failure gives the property back to the old one. Rejects with CommandFailed.
 */
export async function move(old: Client, to: string, options: MoveOptions): Promise<void> {
  const key = await recoveryKey(options)
  const next = client({ url: to, token: options.token })
  const tell = (line: string) => console.log(line)
  await old('POST', `${config}/epoch/actions/hand-over`)
  tell('The old box makes no more keys.')
  let restore: Restore['data']
  try {
    const id = await newBackup(old)
    tell(`Backup ${id} was made.`)
    const bytes = await download(options, id)
    restore = await sent(next, to, { code: options.code, name: `${id}.tar.gz.age` }, bytes)
    tell(`The new box has it: ${bytes.length} bytes.`)
    await next('POST', `${config}/restores/${restore.id}/actions/open`, { body: key })
    await reached(next, restore.id, 'ready')
    await takenOver(next, restore.id)
  } catch (error) {
    await old('POST', `${config}/epoch/actions/claim`)
    console.error('The move was not completed. The old box has the property as before, and makes keys.')
    throw error
  }
  const { unitsToCheck } = await reached(next, restore.id, 'done')
  const { body } = await next<Epoch>('GET', `${config}/epoch`)
  const { epoch } = body.data.attributes
  await old('POST', `${config}/epoch/actions/see`, { body: { epoch } })
  tell(`The new box at ${to} has the property, with epoch ${epoch}. Units to check: ${unitsToCheck ?? 0}.`)
  tell('Connect the dispensers and encoders to it, make a test card, and switch the old box off.')
}

/** Once this was sent, an answer that does not arrive says nothing: only a refusal leaves the property with the old box. */
async function takenOver(next: Client, id: string): Promise<void> {
  await next('POST', `${config}/restores/${id}/actions/apply`).catch((error) => {
    if (error instanceof ApplianceRefusal) throw error
  })
}

async function recoveryKey({ identity, passphraseFile }: MoveOptions) {
  const { text, passphrase } = await readKeyText(identity)
  const isNeeded = isWrapped(text) && passphrase === null
  const given = isNeeded
    ? await readPassphrase(passphraseFile, 'Passphrase of the recovery key: ')
    : passphrase
  return { recoveryKey: text, ...(given && { passphrase: given }) }
}

async function newBackup(old: Client): Promise<string> {
  const { body } = await old<{ data: { id: string } }>('POST', `${config}/backups`, { withinMs: longestMs })
  return body.data.id
}

/** A backup of a large property has some hundred megabytes. */
async function download({ url, token }: MoveOptions, id: string): Promise<Uint8Array> {
  const response = await fetch(`${url}${config}/backups/${id}/content`, {
    headers: { Authorization: `Bearer ${token}`, Accept: 'application/octet-stream' },
    signal: systemClock.timeout(longestMs),
  })
  if (!response.ok)
    throw new CommandFailed('refused', `The old box does not give the backup: HTTP ${response.status}.`)
  return new Uint8Array(await response.arrayBuffer())
}

async function sent(
  next: Client,
  to: string,
  file: { code: string; name: string },
  bytes: Uint8Array,
): Promise<Restore['data']> {
  const begun = { ...file, bytes: bytes.length }
  const { body } = await next<Restore>('POST', `${config}/restores/actions/begin-on-new-box`, { body: begun })
  for (let at = 0; at < bytes.length; at += partBytes) {
    const response = await fetch(`${to}${config}/restores/${body.data.id}/content?offset=${at}`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/octet-stream', Accept: 'application/vnd.api+json' },
      body: bytes.slice(at, at + partBytes),
      signal: systemClock.timeout(longestMs),
    })
    if (!response.ok)
      throw new CommandFailed('refused', `The new box does not take the backup: HTTP ${response.status}.`)
  }
  return body.data
}

/** Waits until the restore is in a state. The new box answers nothing while it starts again. */
async function reached(next: Client, id: string, state: string): Promise<Restore['data']['attributes']> {
  const deadline = systemClock.monotonic() + longestMs
  for (;;) {
    const found = await next<Restore>('GET', `${config}/restores/${id}`).catch((error) => {
      if (error instanceof CommandFailed && ['unreachable', 'later'].includes(error.exit)) return null
      throw error
    })
    const { attributes } = found?.body.data ?? {}
    if (attributes?.state === state) return attributes
    const isStuck = attributes && ['failed', 'canceled', 'waiting-for-key'].includes(attributes.state)
    if (isStuck)
      throw new CommandFailed('refused', attributes.problem ?? `The restore is ${attributes.state}.`)
    if (systemClock.monotonic() > deadline)
      throw new CommandFailed(
        'unreachable',
        'The new box has not answered for half an hour. Look at its screen.',
      )
    await systemClock.sleep(pauseMs)
  }
}
