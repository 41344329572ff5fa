package io.distributionlock.release;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** A POM, read without its parents: as it lies in the repository. */
final class PublishedPom {

    private final XPath paths = XPathFactory.newInstance().newXPath();
    private final String text;
    private final Document document;

    PublishedPom(byte[] content) throws Exception {
        text = new String(content, StandardCharsets.UTF_8);
        document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(content));
    }

    /** What must not be in a release: dependencies that are none, and an address that is still to be set. */
    List<String> provisional() throws XPathExpressionException {
        if (at("/project/version").endsWith("-SNAPSHOT")) {
            return List.of();
        }
        return Stream.of("-SNAPSHOT", ".invalid").filter(text::contains).toList();
    }

    /** The text at {@code "/project/name"}, empty without such an element. */
    String at(String path) throws XPathExpressionException {
        return paths.evaluate(path, document).strip();
    }

    /** The dependencies at a path, each as {@code group:artifact:version}. */
    List<String> dependencies(String path) throws XPathExpressionException {
        NodeList nodes = (NodeList) paths.evaluate(path, document, XPathConstants.NODESET);
        List<String> dependencies = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            dependencies.add(paths.evaluate("concat(groupId, ':', artifactId, ':', version)", nodes.item(i)));
        }
        return dependencies;
    }
}
