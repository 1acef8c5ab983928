import { type LeftOut, leftOutText } from '../host/machine/reachable.ts'
import { atAppliance, clientOf, type Where } from './at-appliance.ts'
import { Command } from './command.ts'

/** Creates the command that shows and renews the certificate of the server. */
export function certificateCommand(): Command {
  const command = new Command('certificate').description('Shows or renews the certificate of the server.')
  const codes = {
    done: true,
    refused: 'the certificate comes from files of the settings, or there is none',
    unreachable: true,
    later: 'date and time are not certain',
    permission: true,
  } as const
  for (const each of [show(), renew()]) command.addCommand(each.exits(codes))
  return command
}

const path = '/api/config/v1/certificate'

interface Document {
  data: {
    attributes: {
      source: 'own' | 'uploaded' | 'files' | 'none'
      subject: string | null
      issuer: string | null
      names: string[]
      addresses: string[]
      fingerprint: string | null
      endsAt: string | null
      missingNames: string[]
      urls: string[]
      leftOut: LeftOut[]
      authority: { fingerprint: string; endsAt: string; permittedNames: string[] } | null
    }
  }
}

function show(): Command {
  return atAppliance('show')
    .description(
      'Prints names, end and fingerprints (SHA-256), to compare them with those on the page /trust.',
    )
    .action(async (options: Where) => print((await (await clientOf(options))<Document>('GET', path)).body))
}

function renew(): Command {
  return atAppliance('renew')
    .description('Makes a new certificate now. The box does it by itself 30 days before the end.')
    .option('--new-authority', 'makes a new authority too; every client has to trust it again')
    .action(async (options: Where & { newAuthority?: boolean }) => {
      const ask = await clientOf(options)
      const body = { newAuthority: options.newAuthority ?? false }
      print((await ask<Document>('POST', `${path}/actions/renew`, { body })).body)
    })
}

const words = {
  own: 'made by this box',
  uploaded: 'uploaded',
  files: 'from the files of the settings',
  none: 'none: the appliance listens on its own machine only',
}

function print({ data: { attributes } }: Document): void {
  const { source, names, addresses, endsAt, fingerprint, authority, missingNames, issuer, urls, leftOut } =
    attributes
  const lines: [string, string | null | undefined][] = [
    ['certificate', words[source]],
    ['issuer', issuer?.replaceAll('\n', ', ')],
    ['for', [...names, ...addresses].join(', ')],
    ['reached at', urls.join(', ')],
    ...leftOut.map((each): [string, string] => ['not offered', leftOutText(each)]),
    ['not for', missingNames.join(', ')],
    ['ends', endsAt],
    ['fingerprint', fingerprint],
    ['authority', authority?.fingerprint],
    ['authority for', authority?.permittedNames.join(', ')],
    ['authority ends', authority?.endsAt],
  ]
  for (const [name, value] of lines) if (value) console.log(`${name.padEnd(15)}${value}`)
}
