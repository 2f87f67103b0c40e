package bundle

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// unpacking is where an archive is unpacked before it takes the place of the
// last one: one that is cut short changes nothing.
const unpacking = Folder + ".new"

// Unpack sets this machine up from an archive: its servers go to the folder
// servers, its modules into the module cache. With an empty file the archive is
// the one that this checkout was unpacked from, below dist/bundle.
//
// Whoever unpacks a bundle runs the programs in it. Nothing in it says, though,
// where a file goes or which is removed: names and links that lead out of the
// folder are refused, and modules are compared with go.sum by the go command.
func Unpack(ctx context.Context, root, servers, file string) error {
	checkout, err := os.OpenRoot(root) // no link below it leads out of it
	if err != nil {
		return err
	}
	defer checkout.Close()
	if file != "" {
		if err := extract(file, checkout); err != nil {
			return errors.Join(err, checkout.RemoveAll(unpacking))
		}
	}
	where := filepath.Join(root, filepath.FromSlash(Folder))
	folder, err := checkout.OpenRoot(filepath.FromSlash(Folder))
	if err != nil {
		return fmt.Errorf("there is no unpacked bundle in %s: name the archive that make bundle wrote (%w)", where, err)
	}
	defer folder.Close()
	platform, err := folder.ReadFile("platform")
	if err != nil {
		return fmt.Errorf("there is no unpacked bundle in %s: name the archive that make bundle wrote (%w)", where, err)
	}
	if built := strings.TrimSpace(string(platform)); built != Platform() {
		return fmt.Errorf("the bundle's servers were built for %q and this machine is %s: pack one on a machine of "+
			"this kind", built, Platform())
	}
	if err := installServers(folder, servers); err != nil {
		return err
	}
	cache, err := downloads(ctx, root)
	if err != nil {
		return err
	}
	return copyModules(folder, cache)
}

// extract takes what did not come from git out of an archive. The checkout's
// own files stay as they are.
func extract(file string, checkout *os.Root) (err error) {
	in, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("opening the bundle: %w", err)
	}
	defer in.Close()
	zip, err := gzip.NewReader(in)
	if err != nil {
		return fmt.Errorf("%s is no bundle: %w", file, err)
	}
	if err := checkout.RemoveAll(unpacking); err != nil {
		return err
	}
	prefix := TopFolder + "/" + Folder + "/"
	for reader := tar.NewReader(zip); ; {
		header, err := reader.Next()
		if errors.Is(err, io.EOF) {
			break
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
		if err := extractFile(checkout, path.Join(unpacking, name), reader); err != nil {
			return fmt.Errorf("unpacking %q from %s: %w (was it copied whole?)", name, file, err)
		}
	}
	if _, err := checkout.Stat(path.Join(unpacking, "SHA256SUMS")); err != nil {
		return fmt.Errorf("%s is no bundle: it holds no %sSHA256SUMS", file, prefix)
	}
	if err := checkout.RemoveAll(Folder); err != nil {
		return fmt.Errorf("remove the last bundle: %w", err)
	}
	return checkout.Rename(unpacking, Folder)
}

func extractFile(checkout *os.Root, name string, from io.Reader) error {
	if err := checkout.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	out, err := checkout.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, from)
	return errors.Join(err, out.Close())
}

// installServers copies the servers whose sums are right.
func installServers(folder *os.Root, servers string) error {
	sums, err := folder.ReadFile("SHA256SUMS")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(sums)) {
		want, name, ok := strings.Cut(strings.TrimSpace(line), "  ")
		if !ok || name != filepath.Base(name) || !filepath.IsLocal(name) {
			return fmt.Errorf("SHA256SUMS of the bundle has a line that can't be read: %q", line)
		}
		from := path.Join("servers", name)
		got, err := hashIn(folder, from)
		if err != nil {
			return fmt.Errorf("the bundle lacks %s: %w", name, err)
		}
		if got != want {
			return fmt.Errorf("%s of the bundle is damaged: its sum is not the one that was packed. Copy the archive "+
				"again", name)
		}
		if err := install(folder, from, filepath.Join(servers, name), 0o755); err != nil {
			return err
		}
	}
	return nil
}

// open opens an ordinary file of the bundle: a link, also one to another file
// of the bundle, is none.
func open(folder *os.Root, name string) (*os.File, error) {
	info, err := folder.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s of the bundle is no ordinary file", name)
	}
	return folder.Open(name)
}

func hashIn(folder *os.Root, name string) (string, error) {
	in, err := open(folder, name)
	if err != nil {
		return "", err
	}
	defer in.Close()
	return sum(in)
}

func install(folder *os.Root, name, to string, mode os.FileMode) error {
	in, err := open(folder, name)
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
