/** Where a request over HTTP names its project. */
export const PROJECT_HEADER = 'handrail-project';
