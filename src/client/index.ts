/** `handrail/client`. */
export {
  ApiFailure,
  type Client,
  type ClientOptions,
  handrailClient,
  type RequestOptions,
} from './client.ts';
