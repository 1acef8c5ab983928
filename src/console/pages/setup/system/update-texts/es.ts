import type { UpdateTexts } from '../update-texts.ts'

export const es: UpdateTexts = {
  running: (version, slot) =>
    slot ? `Funciona la versión ${version}, en la partición ${slot}.` : `Funciona la versión ${version}.`,
  noImage:
    'nightporter se instaló a mano en este ordenador y por eso no puede actualizarse solo. Detenga el programa, sustituya su carpeta por la nueva e inícielo de nuevo.',
  newest: 'No se conoce ninguna versión más nueva.',
  available: (version) => `La versión ${version} está disponible`,
  security: 'Seguridad',
  later: 'Más tarde',
  install: 'Actualizar ahora ...',
  check: 'Buscar actualizaciones',
  checkedAt: (at) => `Última búsqueda: ${at}`,
  heldUntil: (at) => `Aplazado hasta ${at}`,
  resume: 'No aplazar más',
  notOurTurn: (percent) =>
    `El ${percent} % de los equipos la recibe primero, y este no está entre ellos. Aun así puede instalarla.`,
  automatic: {
    none: 'El equipo no instala nada por su cuenta.',
    security: (window) =>
      `El equipo instala por su cuenta las actualizaciones de seguridad, entre ${window}.`,
    all: (window) => `El equipo instala por su cuenta las actualizaciones, entre ${window}.`,
  },
  dialog: (version) => `Actualizar a la versión ${version}`,
  how: 'El equipo carga la nueva versión, hace una copia y se reinicia durante dos o tres minutos cuando no hay ninguna tarjeta en camino ni ningún huésped en el quiosco. Si la nueva versión no funciona con sus dispositivos y datos, vuelve a funcionar la anterior.',
  restartNow: 'Reiniciar lo antes posible',
  restartAtNight: (window) => `Reiniciar entre ${window}`,
  withoutBackup: 'Sin copia (solo para un equipo sin clave de recuperación)',
  begin: 'Empezar',
  underWay: (version) => `Actualización a la versión ${version}`,
  steps: {
    downloading: 'Cargar y verificar',
    'backing-up': 'Hacer una copia',
    installing: 'Instalar',
    installed: 'Esperar un momento tranquilo',
    restarting: 'Reiniciar',
    trial: 'Probar la nueva versión',
  },
  lacks: 'A la prueba le falta:',
  keep: 'Conservar la nueva versión de todos modos',
  results: {
    confirmed: (version, at) => `La actualización a la versión ${version} terminó bien el ${at}.`,
    'rolled-back': (version, at) =>
      `La actualización a la versión ${version} se deshizo el ${at}. La versión anterior funciona de nuevo con todos los datos.`,
    failed: (version, at) => `La actualización a la versión ${version} falló el ${at}.`,
  },
}
