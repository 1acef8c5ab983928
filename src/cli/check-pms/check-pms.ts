import { randomUUID } from 'node:crypto'
import { systemClock } from '../../host/clock.ts'
import type { Carrier } from '../../pms/adapters/cloudevents/carrier.ts'
import { carriers } from '../../pms/adapters/cloudevents/carriers.ts'
import { type CheckResult, checkPms } from '../../pms/adapters/cloudevents/conformance/check-pms.ts'
import { checkSettings } from '../../pms/adapters/cloudevents/settings.ts'
import { Problem } from '../../resource/problem.ts'
import { CommandFailed, exits } from '../exit-codes.ts'
import { jsonIn } from '../json-file.ts'

export interface CheckPmsOptions {
  credentials?: string
  connection?: string
  property?: string
  unitType?: string
  unit?: string
  readOnly?: boolean
  json?: boolean
}

const timeoutMs = 10_000

/** Checks the PMS at a base URL or a broker, prints the report, and sets the exit code. */
export async function checkPmsAt(address: string, options: CheckPmsOptions): Promise<void> {
  const carrier = opened(address, options)
  if (!options.json) console.log(`Checking the PMS at ${address}`)
  const stop = carrier.follow?.({ message: () => {}, poke: () => {}, line: () => {} })
  try {
    const results = await checkPms({
      carrier,
      clock: systemClock,
      unitTypeCode: options.unitType ?? null,
      unitName: options.unit ?? null,
      readOnly: options.readOnly === true,
      timeoutMs,
      report: (result) => options.json || console.log(textOf(result)),
    })
    const count = (outcome: CheckResult['outcome']) =>
      results.filter((each) => each.outcome === outcome).length
    if (options.json) console.log(JSON.stringify({ address, results }, null, 2))
    else console.log(`${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`)
    process.exitCode = codeOf(results)
  } finally {
    stop?.()
    await carrier.close()
  }
}

/** A PMS that has answered nothing cannot be reached. */
function codeOf(results: readonly CheckResult[]): number {
  const failed = results.filter(({ outcome }) => outcome === 'failed')
  if (failed.length === 0) return exits.done[0]
  const isSilent = results.every(
    ({ outcome, isSilent }) => outcome !== 'passed' && (isSilent || outcome === 'skipped'),
  )
  return isSilent ? exits.unreachable[0] : exits.refused[0]
}

function opened(address: string, options: CheckPmsOptions): Carrier {
  const [, scheme] = /^(https?|mqtts?):\/\/\S+$/.exec(address) ?? []
  if (!scheme)
    throw new CommandFailed(
      'usage',
      'Expected https://HOST/PATH, http://HOST/PATH, mqtts://HOST or mqtt://HOST.',
    )
  const transport = scheme.startsWith('http') ? 'http' : 'mqtt'
  const connection = {
    ...(transport === 'http' ? { baseUrl: address } : { broker: address }),
    ...jsonIn(options.connection),
  }
  const credentials = jsonIn(options.credentials)
  const source = `urn:property:${options.property ?? randomUUID()}`
  try {
    checkSettings({ transport, connection, credentials })
    return carriers[transport]!.open({
      configurationId: randomUUID(),
      connection,
      credentials,
      heartbeatSeconds: 60,
      timeoutMs,
      source: () => source,
      epoch: () => 0,
      clock: systemClock,
    })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new CommandFailed('usage', error.message, { cause: error })
  }
}

/** The JSON object of a file; empty without a file. */

/** The longest text of a request or an answer in the report. */
const longest = 1_000

const words: Record<CheckResult['outcome'], string> = { passed: 'pass', failed: 'FAIL', skipped: 'skip' }

/** A failed check has all its requests and answers, any other the first. */
function textOf({ name, outcome, reason, expected, exchanges }: CheckResult): string {
  const lines = [`${words[outcome]}  ${name}${reason === null ? '' : `: ${reason}`}`]
  const line = (label: string, text: string) =>
    lines.push(`      ${label.padEnd(9)} ${text.length > longest ? `${text.slice(0, longest)}...` : text}`)
  line('expected:', expected)
  for (const { sent, came } of outcome === 'failed' ? exchanges : exchanges.slice(0, 1)) {
    line('sent:', sent)
    line('came:', came)
  }
  return lines.join('\n')
}
