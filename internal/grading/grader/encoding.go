package grader

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// checkEncoding: Go is text in UTF-8. The go command says of another encoding that a character is illegal, which is
// true of each line, and helps nobody whose editor or shell has saved the file as UTF-16.
func checkEncoding(source []byte) *Failure {
	for i := 0; i < len(source); {
		r, size := utf8.DecodeRune(source[i:])
		if r != 0 && (r != utf8.RuneError || size > 1) {
			i += size
			continue
		}
		f := fileFailure("it is text in UTF-16: save it anew, as UTF-8")
		f.Expected = "exercise.go is text in UTF-8"
		if isUTF16(source) {
			return f
		}
		f.Line = bytes.Count(source[:i], []byte("\n")) + 1
		f.Happened = fmt.Sprintf("exercise.go:%d has a byte that is not UTF-8: %#x", f.Line, source[i])
		if r == 0 {
			f.Happened = fmt.Sprintf("exercise.go:%d has a byte NUL", f.Line)
		}
		return f
	}
	return nil
}

// isUTF16: a byte order mark, or a NUL in every other byte.
func isUTF16(source []byte) bool {
	return bytes.HasPrefix(source, []byte("\xff\xfe")) || bytes.HasPrefix(source, []byte("\xfe\xff")) ||
		bytes.Count(source, []byte{0}) > len(source)/3
}
