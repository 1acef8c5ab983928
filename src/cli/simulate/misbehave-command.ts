import { type Command, InvalidArgumentError } from 'commander'
import { misbehaviourKinds, mostSkipped } from '../../simulators/devices/misbehaviour.ts'
import { atAppliance, clientOf, type Where } from '../at-appliance.ts'
import type { Client } from '../client.ts'
import { CommandFailed } from '../exit-codes.ts'

const path = '/api/config/v1/simulated-devices'

interface MisbehaveOptions extends Where {
  skip: number
  clear?: boolean
}

interface Device {
  id: string
  attributes: {
    model: string
    commands: string[]
    misbehaviours: { at: string; does: string; skip: number; code: string | null }[]
  }
}

/** Creates the command that makes the devices of the simulated lobby of a running appliance misbehave. */
export function misbehaveCommand(): Command {
  const kinds = Object.entries(misbehaviourKinds).map(([kind, what]) => `  ${kind.padEnd(8)} ${what}`)
  return atAppliance('misbehave')
    .description(
      'Makes a simulated device of a running appliance misbehave at its next such command. Without arguments it lists the devices.',
    )
    .argument('[device]', 'dispenser or encoder')
    .argument('[at=does]', 'COMMAND=DOES[:CODE]; * is any command')
    .option('--skip <number>', 'how many such commands pass first', skipped, 0)
    .option('--clear', 'removes what still waits at the device, or at all devices')
    .addHelpText('after', `\nDOES is one of:\n${kinds.join('\n')}`)
    .exits({
      done: true,
      usage: true,
      refused: 'the device has no such command, or too much waits there',
      missing: 'the property uses no simulated device of this name',
      unreachable: true,
      permission: true,
    })
    .action(async (device: string | undefined, what: string | undefined, options: MisbehaveOptions) => {
      const ask = await clientOf(options)
      if (options.clear) await clear(ask, device)
      else if (device !== undefined && what !== undefined) await tell(ask, device, what, options.skip)
      else if (device !== undefined) throw usage(`Expected COMMAND=DOES after ${device}, or --clear.`)
      await print(ask, device === undefined && !options.clear)
    })
}

function skipped(text: string): number {
  if (/^\d{1,4}$/.test(text) && Number(text) <= mostSkipped) return Number(text)
  throw new InvalidArgumentError(`Expected a number from 0 to ${mostSkipped}.`)
}

async function tell(ask: Client, device: string, what: string, skip: number): Promise<void> {
  const [, at, does = '', code] = /^([^:=]+)=([a-z]+)(?::(-?\w+))?$/.exec(what) ?? []
  if (at === undefined || !(does in misbehaviourKinds)) {
    const kinds = Object.keys(misbehaviourKinds).join(', ')
    throw usage(`Expected COMMAND=DOES[:CODE], DOES being ${kinds}; not ${what}.`)
  }
  const body = { at, does, skip, ...(code !== undefined && { code }) }
  await ask('POST', `${path}/${encodeURIComponent(device)}/misbehaviours`, { body })
}

async function clear(ask: Client, device: string | undefined): Promise<void> {
  const names = device === undefined ? (await devicesOf(ask)).map(({ id }) => id) : [device]
  for (const name of names) await ask('POST', `${path}/${encodeURIComponent(name)}/actions/clear`)
}

async function devicesOf(ask: Client): Promise<Device[]> {
  return (await ask<{ data: Device[] }>('GET', path)).body.data
}

/** Prints one line per device, and one per misbehaviour that waits; with `isList` also the commands. */
async function print(ask: Client, isList: boolean): Promise<void> {
  const devices = await devicesOf(ask)
  if (devices.length === 0) console.log('The property uses no simulated device.')
  for (const { id, attributes } of devices) {
    const { model, commands, misbehaviours } = attributes
    const state = misbehaviours.length === 0 ? 'behaves well' : 'will misbehave'
    console.log(`${id} (${model}) ${state}${isList ? `. Commands: ${commands.join(', ')}` : ''}`)
    for (const { at, does, skip, code } of misbehaviours) {
      const after = skip > 0 ? ` after ${skip} others` : ''
      console.log(`  ${at}=${does}${code === null ? '' : `:${code}`}${after}`)
    }
  }
}

function usage(detail: string): CommandFailed {
  return new CommandFailed('usage', detail)
}
