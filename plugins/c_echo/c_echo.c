/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An echo in C99, on actord/plugin.h alone: what the boundary asks of any language that can call C.
 *
 * The message echo.Text/1 is that of the plugin echo, with a text of C in it. The host translates
 * messages between the two, because their members are equal by name and type.
 */
#include <actord/plugin.h>

#include <stdlib.h>
#include <string.h>

/* ---- failures -------------------------------------------------------------------------------- */

static actord_status fail(actord_errors* errors, const char* type, const char* what) {
  const actord_str types[] = {{type, strlen(type)}};
  actord_failure failure = {0};
  failure.struct_size = sizeof failure;
  failure.types = types;
  failure.n_types = 1;
  failure.what.data = what;
  failure.what.size = strlen(what);
  errors->report(errors, &failure);
  return ACTORD_FAILED;
}

/* ---- the message ----------------------------------------------------------------------------- */

typedef struct {
  char* data; /* of malloc(), not NUL-terminated; NULL: an empty text */
  size_t size;
} owned_text;

static actord_status copy_text(owned_text* to, const char* data, size_t size,
                               actord_errors* errors) {
  to->data = NULL;
  to->size = 0;
  if (size == 0) return ACTORD_OK;
  to->data = malloc(size);
  if (to->data == NULL) return fail(errors, "c_echo::OutOfMemory", "no memory for a text");
  memcpy(to->data, data, size);
  to->size = size;
  return ACTORD_OK;
}

typedef struct {
  owned_text text;
} text_message;

static actord_type_id text_id; /* the host writes it before anything else is called */

/* The host destroys both objects, so the one that was moved from must own nothing any more. */
static void move_message(void* to, void* from) {
  memcpy(to, from, sizeof(text_message));
  memset(from, 0, sizeof(text_message));
}

static void destroy_message(void* message) { free(((text_message*)message)->text.data); }

static actord_status copy_message(void* to, const void* from, actord_errors* errors) {
  const owned_text* const text = &((const text_message*)from)->text;
  return copy_text(&((text_message*)to)->text, text->data, text->size, errors);
}

static actord_status write_message(const void* message, actord_writer* out, actord_errors* errors) {
  const owned_text* const text = &((const text_message*)message)->text;
  const actord_str key = ACTORD_STR("text");
  const actord_str value = {text->data == NULL ? "" : text->data, text->size};
  (void)errors;
  out->begin_map(out, 1);
  out->key(out, key);
  out->text(out, value);
  out->end(out);
  return ACTORD_OK;
}

/* A member that is absent keeps its default, as in C++. */
static actord_status read_message(void* to, actord_value in, actord_errors* errors) {
  const actord_str key = ACTORD_STR("text"), expected = ACTORD_STR("expected a text");
  actord_str text = {NULL, 0};
  if (in.node != NULL) {
    const actord_value member = in.reader->member(in, key);
    if (member.node != NULL && !in.reader->text(member, &text))
      return in.reader->reject(member, expected, errors);
  }
  return copy_text(&((text_message*)to)->text, text.data, text.size, errors);
}

static const actord_member text_members[] = {
    {ACTORD_STR("text"), ACTORD_STR("text"), offsetof(text_message, text)}};

static const actord_message_type text_type = {
    .struct_size = sizeof(actord_message_type),
    .name = ACTORD_STR("echo.Text/1"),
    .members = text_members,
    .n_members = 1,
    .size = sizeof(text_message),
    .align = sizeof(void*),
    .library = ACTORD_STR("c_echo"), /* how a text of this plugin is stored */
    .id = &text_id,
    .move = move_message,
    .copy = copy_message,
    .destroy = destroy_message,
    .write = write_message,
    .read = read_message};

/* ---- Echo: answers every text with the same text --------------------------------------------- */

typedef struct {
  char unused; /* an instance has a size */
} echo;

static actord_status create_echo(void* self, actord_context* ctx, actord_value config,
                                 const void* args, actord_errors* errors) {
  (void)self, (void)ctx, (void)config, (void)args, (void)errors;
  return ACTORD_OK;
}

static void destroy_nothing(void* self) { (void)self; }

/* A delivered message is constant, and sending moves a message: so the answer is a copy. */
static actord_status answer(void* self, actord_context* ctx, const void* message,
                            actord_errors* errors) {
  text_message copy;
  (void)self;
  if (copy_message(&copy, message, errors) != ACTORD_OK) return ACTORD_FAILED;
  ctx->host->reply(ctx, text_id, &copy);
  destroy_message(&copy);
  return ACTORD_OK;
}

static const actord_case echo_cases[] = {{ACTORD_STR("echo.Text/1"), answer}};
static const actord_receive echo_receive = {.struct_size = sizeof(actord_receive),
                                            .n_cases = 1,
                                            .name = ACTORD_STR("Receive"),
                                            .cases = echo_cases};
static const actord_receive* const echo_receives[] = {&echo_receive};

static const actord_behaviour echo_behaviour = {
    .struct_size = sizeof(actord_behaviour),
    .name = ACTORD_STR("Echo"),
    .doc = ACTORD_STR("Answers every echo.Text/1 with the same text."),
    .size = sizeof(echo),
    .align = 1,
    .receives = echo_receives,
    .n_receives = 1,
    .create = create_echo,
    .destroy = destroy_nothing};

/* ---- Relay: hands every text on -------------------------------------------------------------- */

typedef struct {
  actord_ref to;
} relay;

static actord_status create_relay(void* self, actord_context* ctx, actord_value config,
                                  const void* args, actord_errors* errors) {
  const actord_str key = ACTORD_STR("to"), expected = ACTORD_STR("expected the path of an actor");
  actord_value to = {NULL, NULL};
  (void)ctx, (void)args;
  if (config.node != NULL) to = config.reader->member(config, key);
  if (to.node == NULL) return fail(errors, "c_echo::NoConfig", "config needs to");
  if (!to.reader->ref(to, &((relay*)self)->to)) return to.reader->reject(to, expected, errors);
  return ACTORD_OK;
}

/* An empty text cannot be handed on: the supervisor of the actor decides what then happens. */
static actord_status hand_on(void* self, actord_context* ctx, const void* message,
                             actord_errors* errors) {
  text_message copy;
  if (((const text_message*)message)->text.size == 0)
    return fail(errors, "c_echo::NothingToSay", "the text is empty");
  if (copy_message(&copy, message, errors) != ACTORD_OK) return ACTORD_FAILED;
  ctx->host->tell_from(ctx, ((relay*)self)->to, text_id, &copy, ctx->sender);
  destroy_message(&copy);
  return ACTORD_OK;
}

static const actord_case relay_cases[] = {{ACTORD_STR("echo.Text/1"), hand_on}};
static const actord_receive relay_receive = {.struct_size = sizeof(actord_receive),
                                             .n_cases = 1,
                                             .name = ACTORD_STR("Receive"),
                                             .cases = relay_cases};
static const actord_receive* const relay_receives[] = {&relay_receive};

static const actord_member relay_config[] = {
    {ACTORD_STR("to"), ACTORD_STR("ref"), offsetof(relay, to)}};
static const actord_config_key relay_to = {.struct_size = sizeof(actord_config_key),
                                           .flags = ACTORD_REQUIRED,
                                           .path = ACTORD_STR("to"),
                                           .doc = ACTORD_STR("The actor that gets the texts."),
                                           .least = {ACTORD_NULL, {0}},
                                           .most = {ACTORD_NULL, {0}}};
static const actord_config_key* const relay_keys[] = {&relay_to};

static const actord_behaviour relay_behaviour = {
    .struct_size = sizeof(actord_behaviour),
    .name = ACTORD_STR("Relay"),
    .doc = ACTORD_STR("Hands every echo.Text/1 on, and the answer goes to who has sent it."),
    .size = sizeof(relay),
    .align = sizeof(actord_ref),
    .receives = relay_receives,
    .n_receives = 1,
    .config = relay_config,
    .n_config = 1,
    .create = create_relay,
    .destroy = destroy_nothing,
    .config_keys = relay_keys,
    .n_config_keys = 1};

/* ---- the plugin ------------------------------------------------------------------------------ */

static const actord_behaviour* const behaviours[] = {&echo_behaviour, &relay_behaviour};
static const actord_message_type* const messages[] = {&text_type};

static const actord_str nothing_to_say[] = {ACTORD_STR("c_echo::NothingToSay")};
static const actord_str out_of_memory[] = {ACTORD_STR("c_echo::OutOfMemory")};
static const actord_str no_config[] = {ACTORD_STR("c_echo::NoConfig")};
static const actord_type_chain failures[] = {
    {nothing_to_say, 1}, {out_of_memory, 1}, {no_config, 1}};

static const actord_plugin plugin = {.struct_size = sizeof(actord_plugin),
                                     .abi_major = ACTORD_ABI_MAJOR,
                                     .abi_minor = ACTORD_ABI_MINOR,
                                     .name = ACTORD_STR("c_echo"),
                                     .version = ACTORD_STR("1.0.0"),
                                     .doc = ACTORD_STR("An echo in C."),
                                     .behaviours = behaviours,
                                     .n_behaviours = 2,
                                     .messages = messages,
                                     .n_messages = 1,
                                     .failures = failures,
                                     .n_failures = 3};

const actord_plugin* actord_plugin_v1(void) { return &plugin; }
ACTORD_NOTE("c_echo", "1.0.0")
