package io.distributionlock.sample.web;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import java.io.IOException;
import org.springframework.context.MessageSource;
import org.springframework.context.i18n.LocaleContextHolder;

/** Writes the code of a message as its text in the caller's language. Any other text remains as it is. */
public final class LocalizedText extends JsonSerializer<String> {

    private final MessageSource messages;

    LocalizedText(MessageSource messages) {
        this.messages = messages;
    }

    @Override
    public void serialize(String text, JsonGenerator json, SerializerProvider provider) throws IOException {
        json.writeString(messages.getMessage(text, null, text, LocaleContextHolder.getLocale()));
    }
}
