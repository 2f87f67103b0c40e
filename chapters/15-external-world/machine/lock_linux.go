package machine

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// await blocks until nobody holds a FIFO any more, or ctx has ended. No thread is blocked, and no goroutine is left.
func await(ctx context.Context, path string) error {
	file, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	defer file.Close()
	stop := context.AfterFunc(ctx, func() { _ = file.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	_, err = file.Read(make([]byte, 1))
	if errors.Is(err, io.EOF) {
		return nil
	}
	return errors.Join(ctx.Err(), ignoreDeadline(err))
}

func ignoreDeadline(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil
	}
	return err
}
