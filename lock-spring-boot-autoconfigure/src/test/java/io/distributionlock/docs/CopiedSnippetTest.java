package io.distributionlock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A block with {@code <!-- from FILE -->} before it stands in that file, word for word but for the indentation. */
class CopiedSnippetTest {

    @Test
    void copiedBlocksAreAsTheirFilesAre() throws IOException {
        List<String> compared = new ArrayList<>();
        for (Page page : Page.all()) {
            for (int i = 0; i < page.lines().size(); i++) {
                Matcher copied = Snippet.COPIED.matcher(page.lines().get(i).strip());
                if (copied.matches()) {
                    String file = copied.group(1);
                    String block = withoutIndentation(page.lines().subList(i + 2, endOfBlock(page, i + 2)).stream());
                    assertThat(block).as(page + ":" + (i + 1)).isNotBlank();
                    assertThat(withoutIndentation(
                                    Files.readAllLines(Page.project().resolve(file)).stream()))
                            .as(page + ":" + (i + 1) + " and " + file)
                            .contains(block);
                    compared.add(file);
                }
            }
        }
        assertThat(compared).isNotEmpty();
    }

    private static int endOfBlock(Page page, int start) {
        int end = start;
        while (!page.lines().get(end).strip().equals("```")) {
            end++;
        }
        return end;
    }

    private static String withoutIndentation(Stream<String> lines) {
        return lines.map(String::strip).collect(Collectors.joining("\n"));
    }
}
