import { plural } from '../../../lib/language/format.ts'
import type { RoomTexts } from '../texts.ts'

export const es: RoomTexts = {
  title: 'Habitaciones',
  none: 'Aún no hay habitaciones. Créelas en la configuración.',
  howTo:
    'Elija habitaciones y luego su nuevo estado. Fuera de servicio: no se da a huéspedes. Averiada: tampoco se vende.',
  noneOfThese: 'Ninguna habitación está así.',
  all: 'Todas',
  allFloors: 'Todas las plantas',
  floor: (name) => `Planta ${name}`,
  byStatus: 'Por estado',
  byFloor: 'Por planta',
  arrivesToday: 'Llegada hoy',
  leavesToday: 'Salida hoy',
  occupied: 'Huésped alojado',
  setStatus: 'Estado nuevo',
  chosen: (count) => plural(count, { one: '1 habitación elegida', other: `${count} habitaciones elegidas` }),
  chooseNone: 'No elegir ninguna',
  next: 'Habitación siguiente',
  previous: 'Habitación anterior',
  open: 'Elegir la habitación',
  changed: (names) => `Cambiado: ${names}.`,
  undo: 'Deshacer',
  block: 'Bloquear unos días',
  blockTitle: (rooms) => `Bloquear unos días: ${rooms}`,
  blockWhy: 'Esos días la habitación no se vende ni se asigna. El último día se incluye.',
  firstDay: 'Primer día',
  lastDay: 'Último día',
  badDays: 'El último día es anterior al primero.',
  reason: 'Motivo',
  expectedUntil: 'Previsto hasta',
  untilWhy: 'El último día. Vacío: no se sabe. La habitación sigue averiada hasta que se cambie su estado.',
  pastDay: 'Ese día ya ha pasado.',
  blockedFrom: (from, until) => `bloqueada ${from} – ${until}`,
  unblock: 'Desbloquear',
  makeStaffCard: 'Tarjeta para el personal',
  staffCard: (room) => `Tarjeta para el personal: habitación ${room}`,
  staffCardWhy:
    'Esta tarjeta abre la habitación una vez, para una reparación o una inspección. No pertenece a ningún huésped y no anula ninguna otra tarjeta.',
  staffCardOccupied:
    'Hay un huésped en esta habitación. Mientras una tarjeta suya la abra, el equipo no hace tarjeta para el personal: vaya con el huésped.',
  howLong: 'La tarjeta sirve durante',
  minutes: (minutes) => {
    const count = minutes < 60 ? minutes : minutes / 60
    return minutes < 60 ? `${count} minutos` : plural(count, { one: '1 hora', other: `${count} horas` })
  },
  staff: 'Personal',
  noEncoder: 'No hay codificador ni dispensador de tarjetas.',
}
