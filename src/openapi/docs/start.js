SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#interfaces',
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  defaultModelRendering: 'model',
  deepLinking: true,
  filter: true,
  // Asks nothing of the internet.
  validatorUrl: null,
})
