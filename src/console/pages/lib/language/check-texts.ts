import { translated } from './language.ts'

/** The English names of the checks of the status, by their names in the status document. */
const en = {
  'storage:freeBytes': 'free disk space',
  'storage:walBytes': 'write-ahead log',
  'storage:integrity': 'database',
  'storage:writes': 'disk',
  'storage:commits': 'writing of changes',
  'storage:backup': 'backup',
  'storage:elsewhere': 'backups outside the box',
  'storage:keys': 'keys elsewhere',
  'storage:retention': 'deletion of old data',
  'property:settings': 'property',
  'property:units': 'rooms',
  'property:lock-system': 'lock system',
  'writer:waiting': 'changes that wait',
  'clock:plausible': 'clock',
  'clock:confirmed': 'confirmation of the time',
  'clock:synced': 'time server',
  'clock:skew': "clock's deviation",
  'dispenser:state': 'dispenser',
  'encoder:state': 'encoder',
  'payment:in-doubt': 'payment terminal',
  'kiosk:page': 'page of the kiosk',
  'kiosk:help': 'call for help',
  'kiosk:desk-phone': 'telephone of the front desk',
  'webhook:deliveries': 'webhook',
  'pms:state': 'PMS',
  'certificate:end': 'certificate',
  'keys:fenced': 'keys after a restore',
  'keys:unknown': 'cards after a restore',
  'rights:to-confirm': 'rights to confirm',
  'update:result': 'update',
  'firewall:rules': 'firewall',
  'firewall:refused': 'connections that the firewall refused',
  'program:modules': 'parts of the program',
  'program:work': 'background work',
  'program:support': 'support of this version',
  'lock-system:state': 'line to the lock system',
  'key-service:state': 'key service',
  'pms:in-step': 'in step with the PMS',
}

export type CheckNames = typeof en

const names = translated(en, (language) => import(`../../texts/checks-${language}.ts`))

/** Returns the name of a check in the language of the page. A check without words keeps its name of the status. */
export function checkName(name: string): string {
  return names.value[name as keyof CheckNames] ?? name
}
