import type { CommonTexts } from '../lib/language/common-texts.ts'

export const es: CommonTexts = {
  tryAgain: 'Intentar de nuevo',
  close: 'Cerrar',
  cancel: 'Cancelar',
  loading: 'Cargando',
  otherTime: (here, box) =>
    `Este ordenador muestra ${here}; el equipo, ${box}. Uno de los dos está mal. Las tarjetas siguen el reloj del equipo.`,
  noLineTitle: 'Sin conexión con el equipo',
  noLine: 'Esta página no llega al equipo. Lo que ve puede ser antiguo. La página sigue intentándolo.',
  badAnswerTitle: 'La respuesta no se puede leer',
  badAnswer:
    'Esta página ha recibido algo que no es una respuesta del equipo, así que no se sabe si esto se ha hecho. Compruébelo antes de repetirlo. Si sigue así, revise qué hay entre este ordenador y el equipo, por ejemplo un proxy.',
  brokenTitle: 'Esta página tiene un fallo',
  brokenText:
    'Una parte de esta página no se pudo mostrar o no funcionó. Compruebe si su última acción se ha hecho antes de repetirla. La página lo intenta de nuevo.',
  toStart: 'Volver a la primera pantalla',
  loadAgain: 'Volver a cargar la página',
  needsLine: 'No sin conexión con el equipo',
  isHeld: 'Otra acción sigue en curso',
  asOf: (time) => `Datos de ${time}`,
  language: 'Idioma',
  wasLockedTitle: 'El puesto estaba bloqueado',
  wasLocked: 'Se bloqueó antes de terminar esto. Hágalo otra vez.',
  system: 'Configuración, copias y estado del equipo',
  networkTrouble: 'El equipo está arrancando. La página sigue intentándolo.',
}
