import type { SupportTexts } from '../support-texts.ts'

export const es: SupportTexts = {
  file: 'Archivo de ayuda',
  fileWhy:
    'Estado, ajustes y registro sin huéspedes ni secretos, para quien ayuda a distancia. Léalo aquí antes de guardarlo y enviarlo.',
  show: 'Mostrar el contenido',
  contents: (parts) => `Líneas del archivo: ${parts}.`,
  save: 'Guardar',
  console: 'Consola de soporte',
  consoleWhy:
    'Durante una hora, quien tenga un teclado en el equipo lee su diario en la segunda pantalla (Alt+F2). No muestra datos del hotel y no cambia nada. Nunca es accesible por la red.',
  notAnImage: 'Esta máquina no usa la imagen de un equipo, así que no tiene consola de soporte.',
  open: 'Abrir durante una hora',
  close: 'Cerrar ahora',
  isOpen: (time) => `La consola de soporte está abierta hasta las ${time}.`,
}
