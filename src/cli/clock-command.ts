import { atAppliance, clientOf, type Where } from './at-appliance.ts'
import type { Client } from './client.ts'
import { Command } from './command.ts'

/**
 * Creates the command that shows the time of the appliance and states another one. It is for a box that was off for
 * months, or has lost its battery, and reaches no time server.
 */
export function clockCommand(): Command {
  const command = new Command('clock').description(
    'Shows the time of the appliance, or states the right one.',
  )
  const codes = {
    done: true,
    refused: 'the time is not valid, or earlier than the build of the program',
    unreachable: true,
    permission: true,
  } as const
  for (const each of [show(), state()]) command.addCommand(each.exits(codes))
  return command
}

function show(): Command {
  return atAppliance('show')
    .description('Prints the time, and whether the clock is plausible and confirmed.')
    .action(async (options: Where) => print(await (await clientOf(options))<Clock>('GET', path)))
}

function state(): Command {
  return atAppliance('state')
    .description(
      'States date and time, valid until a time server answers or until the next start. Needs the role admin or installer. The clock of the machine is not changed.',
    )
    .argument('<date>', 'such as 2027-04-01')
    .argument('<time>', 'local time of the property, such as 09:30')
    .action(async (date: string, time: string, options: Where) =>
      print(await tell(await clientOf(options), date, time)),
    )
}

const path = '/api/config/v1/clock'

interface Clock {
  data: {
    attributes: {
      time: string
      timeZone: string
      judgement: string
      stated: boolean
      confirmed: boolean
      machineTime: string
    }
  }
}

function tell(ask: Client, date: string, time: string) {
  return ask<Clock>('POST', `${path}/actions/state`, { body: { date, time } })
}

function print({ body }: { body: Clock }): void {
  const { time, timeZone, judgement, stated, confirmed, machineTime } = body.data.attributes
  const local = Temporal.Instant.from(time).toZonedDateTimeISO(timeZone)
  const by = stated ? `stated by a person; the machine shows ${machineTime}` : judgement
  console.log(
    `${local.toPlainDate()} ${local.toPlainTime().toString({ smallestUnit: 'minute' })} ${timeZone} (${by})`,
  )
  if (judgement === 'plausible' && !confirmed)
    console.error(
      'Nothing has confirmed this time since the machine was started or its clock was set. If it is right, confirm it: state the same time (nightporter clock state DATE TIME).',
    )
  if (judgement !== 'plausible')
    console.error(
      `The clock of the machine shows ${machineTime}, which is implausible. No key is made. State date and time, such as: nightporter clock state 2027-04-01 09:30`,
    )
}
