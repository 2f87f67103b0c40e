package bundle

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Unpack sets this machine up from an archive: its servers go to the folder
// servers, its modules into the module cache. With an empty file the archive is
// the one that this checkout was unpacked from, below dist/bundle.
func Unpack(ctx context.Context, root, servers, file string) error {
	folder := filepath.Join(root, filepath.FromSlash(Folder))
	if file != "" {
		if err := extract(file, folder); err != nil {
			return err
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "SHA256SUMS")); err != nil {
		return fmt.Errorf("there is no unpacked bundle in %s: name the archive that make bundle wrote (%w)", folder, err)
	}
	platform, err := os.ReadFile(filepath.Join(folder, "platform"))
	if err != nil {
		return err
	}
	if built := strings.TrimSpace(string(platform)); built != Platform() {
		return fmt.Errorf("the bundle's servers were built for %s and this machine is %s: pack one on a machine of this kind", built, Platform())
	}
	if err := installServers(folder, servers); err != nil {
		return err
	}
	cache, err := downloads(ctx, root)
	if err != nil {
		return err
	}
	_, err = copyModules(filepath.Join(folder, "modules"), cache)
	return err
}

// extract takes what did not come from git out of an archive. The checkout's
// own files stay as they are.
func extract(file, folder string) (err error) {
	in, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("opening the bundle: %w", err)
	}
	defer in.Close()
	zip, err := gzip.NewReader(in)
	if err != nil {
		return fmt.Errorf("%s is no bundle: %w", file, err)
	}
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	prefix := TopFolder + "/" + Folder + "/"
	for reader := tar.NewReader(zip); ; {
		header, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading %s: %w (was it copied whole?)", file, err)
		}
		name, ours := strings.CutPrefix(header.Name, prefix)
		if !ours || header.Typeflag != tar.TypeReg {
			continue
		}
		if !filepath.IsLocal(name) {
			return fmt.Errorf("%s names a file outside of its folder: %q", file, header.Name)
		}
		if err := write(reader, filepath.Join(folder, name), header.FileInfo().Mode().Perm()); err != nil {
			return fmt.Errorf("unpacking %s from %s: %w (was it copied whole?)", name, file, err)
		}
	}
}

// installServers copies the servers whose sums are right.
func installServers(folder, servers string) error {
	sums, err := os.ReadFile(filepath.Join(folder, "SHA256SUMS"))
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(sums)) {
		want, name, ok := strings.Cut(strings.TrimSpace(line), "  ")
		if !ok || !filepath.IsLocal(name) {
			return fmt.Errorf("SHA256SUMS of the bundle has a line that can't be read: %q", line)
		}
		from := filepath.Join(folder, "servers", name)
		got, err := hash(from)
		if err != nil {
			return fmt.Errorf("the bundle lacks %s: %w", name, err)
		}
		if got != want {
			return fmt.Errorf("%s of the bundle is damaged: its sum is not the one that was packed. Copy the archive again", name)
		}
		if err := copyFile(from, filepath.Join(servers, name), 0o755); err != nil {
			return err
		}
	}
	return nil
}

func copyFile(from, to string, mode os.FileMode) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	return write(in, to, mode)
}

// write appears whole or not at all under its name.
func write(from io.Reader, to string, mode os.FileMode) (err error) {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	out, err := os.CreateTemp(filepath.Dir(to), ".unpack-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(out.Name()))
		}
	}()
	_, err = io.Copy(out, from)
	if err := errors.Join(err, out.Chmod(mode), out.Close()); err != nil {
		return err
	}
	return os.Rename(out.Name(), to)
}
