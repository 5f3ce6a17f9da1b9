/* A function whose rules are in .debug_frame, in a program where others have theirs in .eh_frame. */
	.cfi_sections .debug_frame
	.text
	.globl	in_debug_frame
	.type	in_debug_frame, @function
in_debug_frame:
	.cfi_startproc
	push	%rbx
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbx, 0
	lea	8(%rsp), %rbx
	.cfi_def_cfa %rbx, 8
	sub	$40, %rsp
	and	$-32, %rsp
	call	*%rdi
	lea	-8(%rbx), %rsp
	.cfi_def_cfa %rsp, 16
	pop	%rbx
	.cfi_adjust_cfa_offset -8
	.cfi_restore %rbx
	ret
	.cfi_endproc
	.size	in_debug_frame, . - in_debug_frame
	.section .note.GNU-stack, "", @progbits
