package io.distributionlock.release;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * What a release uploads: a part of a Maven repository.
 *
 * @param version the one it publishes
 * @param files its content by path
 */
record Bundle(String version, SortedMap<String, byte[]> files) {

    private static final Pattern TIME_OF_A_SNAPSHOT = Pattern.compile("-\\d{8}\\.\\d{6}-\\d+");

    static Bundle read(Path zip, String version) throws IOException {
        SortedMap<String, byte[]> files = new TreeMap<>();
        unzip(Files.readAllBytes(zip))
                .forEach((path, content) ->
                        files.put(TIME_OF_A_SNAPSHOT.matcher(path).replaceFirst("-SNAPSHOT"), content));
        return new Bundle(version, files);
    }

    /** The file of a module, whose name ends like this: {@code "-sources.jar"}. */
    byte[] file(String module, String end) {
        String path = folder(module) + module + "-" + version + end;
        byte[] content = files.get(path);
        if (content == null) {
            throw new AssertionError("The bundle has no " + path);
        }
        return content;
    }

    String folder(String module) {
        return "io/distributionlock/" + module + "/" + version + "/";
    }

    SortedMap<String, byte[]> jar(String module, String end) {
        return unzip(file(module, end));
    }

    private static SortedMap<String, byte[]> unzip(byte[] archive) {
        SortedMap<String, byte[]> files = new TreeMap<>();
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(archive))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                if (!entry.isDirectory()) {
                    files.put(entry.getName(), zip.readAllBytes());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files;
    }
}
