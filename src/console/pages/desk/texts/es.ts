import { plural } from '../../lib/format.ts'
import type { DeskTexts } from './en.ts'

export const es: DeskTexts = {
  screens: {
    today: 'Hoy',
    rack: 'Plano de habitaciones',
    rooms: 'Habitaciones',
    keys: 'Llaves que aún pueden abrir',
    devices: 'Dispositivos',
    conflicts: 'Conflictos con el PMS',
    walkIn: 'Sin reserva',
    lobby: 'Vestíbulo de prueba',
  },
  frame: {
    alarms: (count) => plural(count, { one: '1 alarma', other: `${count} alarmas` }),
    keysMayOpen: (count) => `Llaves que pueden abrir: ${count}`,
    screens: 'Pantallas',
    search: 'Buscar',
    live: 'Conexión con el equipo: activa',
    noLine: 'Sin conexión con el equipo',
    lock: 'Bloquear',
    keysHelp: 'Teclas',
    letters: 'Las letras solas son atajos',
    notAllowed: 'Su función no muestra esta página.',
    soon: 'No existe esta pantalla.',
    skip: 'Al contenido',
  },
}
