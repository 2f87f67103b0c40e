package term

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// What was typed before is dropped, and what is typed afterwards is read.
func TestDropInput(t *testing.T) {
	keyboard, terminal := pty(t)
	_, err := fmt.Fprint(keyboard, "early\nx")
	require.NoError(t, err)
	_, err = bufio.NewReader(keyboard).ReadString('x')
	require.NoError(t, err, "the echo of what comes behind the line: the line has arrived")
	require.True(t, DropInput(terminal))
	_, err = fmt.Fprint(keyboard, "next\n")
	require.NoError(t, err)
	line, err := bufio.NewReader(terminal).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "next\n", strings.TrimPrefix(line, "x"), "x itself may come late")
}

// A pipe is no terminal, and keeps what is in it.
func TestDropInputOfAPipe(t *testing.T) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	_, err = fmt.Fprint(w, "kept\n")
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.False(t, DropInput(r))
	line, err := bufio.NewReader(r).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "kept\n", line)
}

// pty is a terminal and what somebody types on.
func pty(t *testing.T) (keyboard, terminal *os.File) {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo terminals here: ", err)
	}
	t.Cleanup(func() { keyboard.Close() })
	var unlock, number int32
	for request, argument := range map[uintptr]*int32{syscall.TIOCSPTLCK: &unlock, syscall.TIOCGPTN: &number} {
		_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, keyboard.Fd(), request, uintptr(unsafe.Pointer(argument)))
		require.Zero(t, errno)
	}
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { terminal.Close() })
	return keyboard, terminal
}
