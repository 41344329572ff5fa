package io.distributionlock.playground.web;

import org.springframework.context.MessageSource;
import org.springframework.context.i18n.LocaleContextHolder;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;

/** Writes the code of a message as its text in the caller's language. Any other text remains as it is. */
public final class LocalizedText extends ValueSerializer<String> {

    private final MessageSource messages;

    LocalizedText(MessageSource messages) {
        this.messages = messages;
    }

    @Override
    public void serialize(String text, JsonGenerator json, SerializationContext context) {
        json.writeString(messages.getMessage(text, null, text, LocaleContextHolder.getLocale()));
    }
}
