// Judge asks Porcupine whether histories of the fault rack are linearizable: see README.md.
//
//	judge FOLDER...
//
// reads all .jsonl files below the folders and prints, for each, its name, what is said of it by the lease, and by what was told.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"sync"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: judge FOLDER...")
		os.Exit(2)
	}
	var files, names []string
	for _, folder := range os.Args[1:] {
		err := filepath.Walk(folder, func(path string, _ os.FileInfo, err error) error {
			if err == nil && strings.HasSuffix(path, ".jsonl") {
				name, _ := filepath.Rel(folder, path)
				files = append(files, path)
				names = append(names, strings.TrimSuffix(filepath.ToSlash(name), ".jsonl"))
			}
			return err
		})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
	}
	lines, err := judgeAll(files, names)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	sort.Strings(lines)
	for _, line := range lines {
		fmt.Println(line)
	}
}

func judgeAll(files, names []string) ([]string, error) {
	lines := make([]string, len(files))
	errors := make([]error, len(files))
	var group sync.WaitGroup
	turns := make(chan bool, runtime.NumCPU())
	for i := range files {
		group.Add(1)
		turns <- true
		go func(i int) {
			defer group.Done()
			lease, told, err := judge(files[i])
			lines[i] = names[i] + "," + lease + "," + told
			errors[i] = err
			<-turns
		}(i)
	}
	group.Wait()
	for i, err := range errors {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", files[i], err)
		}
	}
	return lines, nil
}

func judge(file string) (lease, told string, err error) {
	h, err := read(file)
	if err != nil {
		return "", "", err
	}
	if lease, err = h.level(byLease); err != nil {
		return "", "", err
	}
	told, err = h.level(byTold)
	return lease, told, err
}
