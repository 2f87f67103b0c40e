package bundle

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// Pack writes the archive of the checkout at root: its committed files, the
// servers in the folder servers, and the modules. It returns the archive's size
// in bytes. An archive that could not be finished is removed.
func Pack(ctx context.Context, root, servers, file string) (size int64, err error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return 0, fmt.Errorf("making the folder for the archive: %w", err)
	}
	half := file + ".part"
	out, err := os.Create(half)
	if err != nil {
		return 0, fmt.Errorf("creating the archive: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(half))
		}
	}()
	w := newWriter(out)
	err = errors.Join(w.sources(ctx, root), w.servers(servers), w.modules(ctx, root))
	if err := errors.Join(err, w.close(), out.Close()); err != nil {
		return 0, fmt.Errorf("writing %s: %w", file, err)
	}
	if err := os.Rename(half, file); err != nil {
		return 0, err
	}
	info, err := os.Stat(file)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

type writer struct {
	zip *gzip.Writer
	tar *tar.Writer
}

func newWriter(out io.Writer) *writer {
	zip := gzip.NewWriter(out)
	return &writer{zip, tar.NewWriter(zip)}
}

func (w *writer) close() error { return errors.Join(w.tar.Close(), w.zip.Close()) }

// file adds one file under the archive's name for it.
func (w *writer) file(from, name string) error {
	info, err := os.Lstat(from)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no ordinary file and can't be packed", from)
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	header := &tar.Header{
		Name: path.Join(TopFolder, name), Mode: int64(info.Mode().Perm() | 0o600),
		Size: info.Size(), ModTime: info.ModTime(), Typeflag: tar.TypeReg,
	}
	if err := w.tar.WriteHeader(header); err != nil {
		return err
	}
	_, err = io.Copy(w.tar, in)
	return err
}

func (w *writer) text(name, content string) error {
	header := &tar.Header{
		Name: path.Join(TopFolder, name), Mode: 0o644, Size: int64(len(content)),
		ModTime: time.Now(), Typeflag: tar.TypeReg,
	}
	if err := w.tar.WriteHeader(header); err != nil {
		return err
	}
	_, err := io.WriteString(w.tar, content)
	return err
}

// sources adds the files that git tracks, as they are on disk: a workshop's
// own changes come along, build leftovers don't.
func (w *writer) sources(ctx context.Context, root string) error {
	cmd := exec.CommandContext(ctx, "git", "-C", root, "ls-files", "-z")
	listed, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("listing the checkout's files with git ls-files: %w", err)
	}
	for name := range strings.SplitSeq(strings.TrimRight(string(listed), "\x00"), "\x00") {
		if _, err := os.Lstat(filepath.Join(root, name)); errors.Is(err, fs.ErrNotExist) {
			continue // deleted, and not committed yet
		}
		if err := w.file(filepath.Join(root, name), name); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) servers(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("reading the built servers: %w", err)
	}
	var sums strings.Builder
	for _, entry := range entries {
		if !entry.Type().IsRegular() || strings.HasSuffix(entry.Name(), ".lock") {
			continue
		}
		from := filepath.Join(dir, entry.Name())
		if err := w.file(from, path.Join(Folder, "servers", entry.Name())); err != nil {
			return err
		}
		sum, err := hash(from)
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%s  %s\n", sum, entry.Name())
	}
	if sums.Len() == 0 {
		return fmt.Errorf("there are no built servers in %s", dir)
	}
	if err := w.text(path.Join(Folder, "platform"), Platform()+"\n"); err != nil {
		return err
	}
	return w.text(path.Join(Folder, "SHA256SUMS"), sums.String())
}

func hash(file string) (string, error) {
	in, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer in.Close()
	return sum(in)
}

func sum(in io.Reader) (string, error) {
	h := sha256.New()
	if _, err := io.Copy(h, in); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
