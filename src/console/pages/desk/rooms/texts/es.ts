import { plural } from '../../../lib/format.ts'
import type { RoomTexts } from './en.ts'

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
  changed: (names) => `Cambiado: ${names}.`,
  undo: 'Deshacer',
  status: {
    Dirty: 'Sucia',
    Cleaning: 'En limpieza',
    Clean: 'Limpia',
    Inspected: 'Revisada',
    OutOfService: 'Fuera de servicio',
    OutOfOrder: 'Averiada',
  },
}
